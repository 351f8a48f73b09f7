import { listConfig } from '../../../src/features/config/config.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { ConfigSection, type ConfigField } from './config-section.tsx';

/** What the page shows, in the words of a household; the server's list has more. */
const SECTIONS: readonly { title: string; fields: readonly ConfigField[] }[] = [
  {
    title: 'Household',
    fields: [
      { key: 'household.name', label: 'Name' },
      {
        key: 'default_currency',
        label: 'Currency',
        hint: 'For bank files that name none. Changing it changes no transaction that is already here.',
        options: Intl.supportedValuesOf('currency'),
        none: 'The first import decides',
      },
      {
        key: 'instance.timezone',
        label: 'Time zone',
        hint: 'Where your days begin and end.',
        options: Intl.supportedValuesOf('timeZone'),
        none: 'That of the server',
      },
    ],
  },
  {
    title: 'Address',
    fields: [
      {
        key: 'public_base_url',
        label: 'Public address',
        hint: 'Where others reach this service, such as https://money.example. Invitations and other links begin with it.',
        type: 'url',
      },
    ],
  },
  {
    title: 'Retention',
    fields: [
      {
        key: 'sync_log_retention_days',
        label: 'Keep sync logs, in days',
        hint: '0 keeps them for ever.',
        type: 'number',
      },
      {
        key: 'webhook_event_retention_days',
        label: 'Keep messages of bank providers, in days',
        hint: '0 keeps them for ever.',
        type: 'number',
      },
    ],
  },
];

/** Settings of the whole household. */
export default function GeneralPage() {
  const config = useApiQuery(listConfig, {});
  return (
    <>
      <PageHeader title="General" lead="Settings of the whole household." />
      <Loaded query={config} lines={10}>
        {(entries) => SECTIONS.map((section) => <ConfigSection key={section.title} entries={entries} {...section} />)}
      </Loaded>
    </>
  );
}
