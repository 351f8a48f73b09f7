import { Switch } from '../../components/choice-fields.tsx';
import { shortcuts } from '../../layout/page-keys.ts';
import { density } from '../../lib/density.ts';
import { hatching } from '../../lib/hatching.ts';
import { useStore, type Store } from '../../lib/store.ts';
import { theme } from '../../lib/theme.ts';

const THEMES = [
  ['system', 'Same as the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

const DENSITIES = [
  ['comfortable', 'Comfortable'],
  ['compact', 'Compact'],
] as const;

/** Kept in this browser only. */
export function BrowserChoices() {
  const hasShortcuts = useStore(shortcuts) === 'on';
  const hasStripes = useStore(hatching) === 'on';
  return (
    <>
      <Choice legend="Theme" name="theme" store={theme} choices={THEMES} />
      <Choice legend="Rows of lists" name="density" store={density} choices={DENSITIES} />
      <Switch
        label="Single-key shortcuts"
        hint="Press ? to see them. Turn them off if you dictate, or often press keys by accident."
        checked={hasShortcuts}
        onChange={(on) => shortcuts.set(on ? 'on' : 'off')}
      />
      <Switch
        label="Stripes besides colours"
        hint="Categories are told apart by stripes as well, where colours are hard to tell apart."
        checked={hasStripes}
        onChange={(on) => hatching.set(on ? 'on' : 'off')}
      />
    </>
  );
}

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  store: Store<T>;
  choices: readonly (readonly [value: T, label: string])[];
}

function Choice<T extends string>({ legend, name, store, choices }: ChoiceProps<T>) {
  const chosen = useStore(store);
  return (
    <fieldset className="mb-4">
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="flex flex-wrap gap-x-6">
        {choices.map(([value, label]) => (
          <label key={value} className="target flex items-center gap-2">
            <input
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              onChange={() => store.set(value)}
              className="size-5 accent-accent"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
