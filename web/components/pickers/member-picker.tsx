import { useMembers } from '../../api/lists.ts';
import { Combobox, type PickerProps } from './combobox.tsx';

interface MemberPickerProps extends PickerProps<string | null> {
  /** What null is called: "As the account". Without it, a member has to be chosen. */
  none?: string;
}

const NONE = 'none';

/** A member of the household by their short id. */
export function MemberPicker({ value, onPick, none, ...rest }: MemberPickerProps) {
  const members = useMembers();
  const options = members && [
    ...members.map(({ short_id: id, name: label }) => ({ id, label })),
    ...(none === undefined ? [] : [{ id: NONE, label: none }]),
  ];
  return (
    <Combobox
      {...rest}
      options={options}
      chosen={[value ?? NONE]}
      onPick={(id, via) => onPick(id === NONE ? null : id, via)}
    />
  );
}
