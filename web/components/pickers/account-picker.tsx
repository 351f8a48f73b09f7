import { useAccounts } from '../../api/lists.ts';
import { Combobox, type PickerProps } from './combobox.tsx';
import { noteRecent, recent } from './recent.ts';

interface AccountPickerProps extends PickerProps<string> {
  /** Only these, by their ids. */
  among?: readonly string[];
}

/** An account by its id; an empty value while none is chosen. */
export function AccountPicker({ value, onPick, among, ...rest }: AccountPickerProps) {
  const accounts = useAccounts();
  return (
    <Combobox
      {...rest}
      options={accounts
        ?.filter(({ id }) => among?.includes(id) ?? true)
        .map(({ id, display_name: own, name = '', mask, institution_name: bank }) => {
          const hint = [bank, mask].filter(Boolean).join(' …');
          return { id, label: own ?? name, ...(hint === '' ? {} : { hint }) };
        })}
      first={recent('account')}
      chosen={[value]}
      onPick={(id, via) => {
        noteRecent('account', id);
        onPick(id, via);
      }}
    />
  );
}
