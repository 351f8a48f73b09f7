import { listSeries } from '../../../src/features/series/series.contract.ts';
import { READ_ONCE } from '../../api/lists.ts';
import { useApiQuery } from '../../api/queries.ts';
import { Combobox, type PickerProps } from './combobox.tsx';

const NONE = 'none';

interface SeriesPickerProps extends PickerProps<string | null> {
  /** Whether "No series" can be chosen. */
  allowsNone?: boolean;
}

/** A recurring series by its id; null is none. */
export function SeriesPicker({ value, onPick, allowsNone = true, ...rest }: SeriesPickerProps) {
  const { data } = useApiQuery(listSeries, {}, READ_ONCE);
  const options = data && [
    ...data.series.map(({ id, name: label, type }) => ({ id, label, hint: type })),
    ...(allowsNone ? [{ id: NONE, label: 'No series' }] : []),
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
