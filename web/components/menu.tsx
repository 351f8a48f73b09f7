import * as DropdownMenu from '@radix-ui/react-dropdown-menu';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  onSelect: () => void;
  destructive?: boolean;
  disabledReason?: string | undefined;
}

/** Actions behind a button. `trigger` is the button; it says what the menu is about. */
export function Menu({ trigger, items }: { trigger: ReactNode; items: readonly MenuItem[] }) {
  return (
    // Not modal: what keeps the page from scrolling needs inline styles, which the policy forbids. Not moved to the end
    // of the page either: there it would be outside of every landmark, and out of reach in a dialog.
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        className="z-30 min-w-48 rounded-card border border-line bg-surface p-1 text-ink shadow-lg"
      >
        {items.map((item) => (
          <MenuEntry key={item.label} item={item} />
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

function MenuEntry({ item }: { item: MenuItem }) {
  const { label, icon: Icon, onSelect, destructive = false, disabledReason } = item;
  const isDisabled = disabledReason !== undefined;
  return (
    <DropdownMenu.Item
      aria-disabled={isDisabled || undefined}
      className={`target flex items-center gap-3 rounded-control px-3 py-1.5 outline-none select-none data-highlighted:chosen data-highlighted:bg-sunken ${destructive && !isDisabled ? 'text-danger' : ''} ${isDisabled ? 'text-muted' : 'cursor-pointer'}`}
      onSelect={(event) => (isDisabled ? event.preventDefault() : onSelect())}
    >
      {Icon && <Icon aria-hidden size={18} className="shrink-0" />}
      <span>
        {label}
        {isDisabled && <span className="block text-sm">{disabledReason}</span>}
      </span>
    </DropdownMenu.Item>
  );
}
