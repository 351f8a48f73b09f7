import { Switch } from '../../components/choice-fields.tsx';
import { shortcuts } from '../../layout/page-keys.ts';
import { useStore } from '../../lib/store.ts';
import { theme } from '../../lib/theme.ts';

const THEMES = [
  ['system', 'Same as the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** Kept in this browser only. */
export function BrowserChoices() {
  const chosen = useStore(theme);
  const hasShortcuts = useStore(shortcuts) === 'on';
  return (
    <>
      <fieldset className="mb-4">
        <legend className="mb-1 font-medium">Theme</legend>
        <div className="flex flex-wrap gap-x-6">
          {THEMES.map(([value, label]) => (
            <label key={value} className="target flex items-center gap-2">
              <input
                type="radio"
                name="theme"
                value={value}
                checked={chosen === value}
                onChange={() => theme.set(value)}
                className="size-5 accent-accent"
              />
              {label}
            </label>
          ))}
        </div>
      </fieldset>
      <Switch
        label="Single-key shortcuts"
        hint="Press ? to see them. Turn them off if you dictate, or often press keys by accident."
        checked={hasShortcuts}
        onChange={(on) => shortcuts.set(on ? 'on' : 'off')}
      />
    </>
  );
}
