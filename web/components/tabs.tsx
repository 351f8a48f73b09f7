import * as RadixTabs from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';

export interface Tab {
  value: string;
  label: string;
  content: ReactNode;
}

interface TabsProps {
  /** What the tabs are about. */
  label: string;
  tabs: readonly Tab[];
  /** For tabs that are kept in the address. */
  value?: string;
  onChange?: (value: string) => void;
}

export function Tabs({ label, tabs, value, onChange }: TabsProps) {
  const controlled = value === undefined ? { defaultValue: tabs[0]?.value ?? '' } : { value };
  return (
    <RadixTabs.Root {...controlled} {...(onChange ? { onValueChange: onChange } : {})}>
      <RadixTabs.List
        aria-label={label}
        className="mb-4 flex gap-1 overflow-x-auto [scrollbar-width:none] border-b border-line p-1"
      >
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.value}
            value={tab.value}
            className="target -mb-1 rounded-t-control border-b-2 -outline-offset-2 border-transparent px-4 whitespace-nowrap text-muted hover:text-ink data-[state=active]:border-accent data-[state=active]:font-semibold data-[state=active]:text-ink"
          >
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.value} value={tab.value}>
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
