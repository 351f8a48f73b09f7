import { listConfig } from '../../../src/features/config/config.contract.ts';
import { useApiQuery } from '../../api/queries.ts';
import { PublicAddressAdvice } from '../../components/address-advice.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Loaded } from '../../components/skeleton.tsx';
import { ConfigSection, type ConfigField } from './config-section.tsx';

/** What the page shows, in the words of a household; the server's list has more. */
const SECTIONS: readonly { title: string; about: string; fields: readonly ConfigField[] }[] = [
  {
    title: 'Household',
    about: 'What your household is called, and what holds where a bank or a file says nothing.',
    fields: [
      { key: 'household.name', label: 'Name' },
      {
        key: 'default_currency',
        label: 'Currency',
        hint: 'Used for bank files that do not name a currency. Existing transactions keep theirs.',
        options: Intl.supportedValuesOf('currency'),
        none: 'Decided by the first import',
      },
      {
        key: 'instance.timezone',
        label: 'Time zone',
        hint: 'Decides when a day begins and ends.',
        options: Intl.supportedValuesOf('timeZone'),
        none: 'Same as the server',
      },
    ],
  },
  {
    title: 'Address',
    about: 'Where other devices find Homeledger.',
    fields: [
      {
        key: 'public_base_url',
        label: 'Public address',
        hint: 'The address other devices use to open Homeledger, such as https://money.example. Invitation links start with it.',
        type: 'url',
        advice: (address) => <PublicAddressAdvice address={address} />,
      },
    ],
  },
  {
    title: 'Retention',
    about: 'How long records of syncs and messages are kept. Transactions are not affected.',
    fields: [
      {
        key: 'sync_log_retention_days',
        label: 'Days to keep sync logs',
        hint: '0 keeps them forever.',
        type: 'number',
      },
      {
        key: 'webhook_event_retention_days',
        label: 'Days to keep messages from bank providers',
        hint: '0 keeps them forever.',
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
      <PageHeader title="General" lead="Settings for the whole household." />
      <Loaded query={config} lines={10}>
        {(entries) => SECTIONS.map((section) => <ConfigSection key={section.title} entries={entries} {...section} />)}
      </Loaded>
    </>
  );
}
