import { useNavigate } from '@tanstack/react-router';
import { CircleHelp, CircleUser, LogOut, Monitor, Moon, Sun } from 'lucide-react';

import type { Session } from '../api/session.ts';
import { signOut } from '../api/session.ts';
import { Button } from '../components/button.tsx';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { useStore } from '../lib/store.ts';
import { theme } from '../lib/theme.ts';

const THEMES = {
  system: { label: 'Theme: same as the system', icon: Monitor },
  light: { label: 'Theme: light', icon: Sun },
  dark: { label: 'Theme: dark', icon: Moon },
} as const;

/** Who is signed in, the theme, and the way out. */
export function AccountMenu({ session }: { session: Session | undefined }) {
  const choice = useStore(theme);
  const name = session?.user?.name;
  const navigate = useNavigate();
  if (name === undefined) return null;
  const items: MenuItem[] = [
    { label: 'Profile', icon: CircleUser, onSelect: () => void navigate({ to: '/settings/profile' }) },
    { label: 'Help', icon: CircleHelp, onSelect: () => void navigate({ to: '/help' }) },
    ...(['system', 'light', 'dark'] as const)
      .filter((one) => one !== choice)
      .map((one) => ({ ...THEMES[one], onSelect: () => theme.set(one) })),
    { label: 'Sign out', icon: LogOut, onSelect: () => void signOut() },
  ];
  return (
    <Menu
      items={items}
      trigger={
        <Button look="quiet" className="justify-start px-2">
          <span
            aria-hidden
            className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-sm font-semibold text-accent-strong"
          >
            {[...name][0]?.toUpperCase()}
          </span>
          <span className="truncate max-sm:sr-only">{name}</span>
          <span className="sr-only">, account menu</span>
        </Button>
      }
    />
  );
}
