/** One small file, previewed and imported, for the examples in the reference. */

const account = {
  file_value: null,
  account_id: '019a8c5e-7d10-7a3b-9c41-5f2e8d7b6a90',
  account_name: 'january',
  connection_id: '019a8c5e-0b11-7c0d-8a52-1d2e3f405162',
  created: true,
  suggested: false,
  iso_currency_code: 'EUR',
  row_count: 1,
  added_count: 1,
  first_date: '2026-01-17',
  last_date: '2026-01-17',
  bank_ids: null,
};

const counts = {
  total: 1,
  added: 1,
  updated: 0,
  duplicate: 0,
  deleted: 0,
  skipped: 0,
  invalid: 0,
  removed: 0,
  pending: 0,
};

const detected = (value: string | null, confidence: string, evidence: string[]) => ({
  value,
  confidence,
  evidence,
  candidates: [],
});

const file = {
  format: 'csv',
  file_name: 'january.csv',
  file_bytes: 61,
  file_sha256: '9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab',
  accounts: [account],
  counts,
  totals: [
    { iso_currency_code: 'EUR', transaction_count: 1, total_amount: '12.50', money_out: '12.50', money_in: '0.00' },
  ],
  first_date: '2026-01-17',
  last_date: '2026-01-17',
  profile: null,
  balance_proof: { status: 'not_available', proves_with: [], results: [] },
  warnings: [],
};

const column = (index: number, name: string) => ({
  columns: [{ index, name }],
  confidence: 'certain',
  source: 'header',
});

const reading = {
  detection: {
    encoding: detected('utf-8', 'certain', ['strict_decode']),
    delimiter: detected(',', 'certain', ['field_counts']),
    header: { value: 1, confidence: 'certain', evidence: ['header_names'], candidates: [] },
    date_format: detected('YYYY-MM-DD', 'certain', ['year_first']),
    decimal_separator: detected('.', 'certain', ['decimal_digits']),
    sign: detected('positive_is_in', 'given', ['parameter']),
    currency: detected('EUR', 'given', ['parameter']),
    fee_mode: detected(null, 'none', []),
    pending: { value: { pending: 0, ignored: 0 }, confidence: 'none', evidence: [], candidates: [] },
    account: detected(null, 'certain', ['default']),
  },
  mapping: { date: column(0, 'Date'), amount: column(1, 'Amount'), description: column(2, 'Description') },
  unmatched_categories: [],
};

export const exampleImportSummary = {
  id: '01981f6e-7c1a-7b3e-9a44-2f6d0c5e8b10',
  short_id: 'Qm3x8ZpA',
  status: 'completed',
  ...file,
  user_id: 'a1B2c3D4',
  connection_id: account.connection_id,
  account_id: account.account_id,
  progress: { phase: 'done', done: 1, total: 1, percent: 100 },
  error: null,
  actor_type: 'user',
  actor_id: '019a8c5a-0000-7000-8000-0000000000cc',
  actor_user_id: null,
  actor_name: 'Kitchen tablet',
  change_set_id: '019a8c61-aa00-7111-8222-333344445555',
  revert_change_set_id: null,
  created_at: '2026-04-26T06:00:00.000Z',
  started_at: '2026-04-26T06:00:00.000Z',
  finished_at: '2026-04-26T06:00:00.100Z',
  reverted_at: null,
};

export const exampleImport = {
  ...exampleImportSummary,
  ...reading,
  options: {
    format: 'csv',
    encoding: 'utf-8',
    delimiter: ',',
    has_header: true,
    has_debit_credit: false,
    pending: 'skip',
    sign: 'positive_is_in',
    positive_is_debit: false,
    decimal_separator: '.',
    fee_mode: null,
    refuse_assumptions: false,
    skip_invalid: false,
    accept_unproved: false,
    import_tags: false,
    import_notes: false,
    run_rules: true,
    remember_profile: true,
  },
  skipped_rows: [],
  skipped_rows_truncated: false,
};

export const exampleCsvResult = {
  connection_id: account.connection_id,
  account_id: account.account_id,
  institution_name: 'january',
  status: 'active',
  imported_transactions: 1,
  updated_transactions: 0,
  skipped_duplicates: 0,
  total_rows: 1,
  import: exampleImport,
};

const exampleRow = {
  line: 2,
  part: 1,
  outcome: 'added',
  reason: null,
  match: null,
  transaction_id: null,
  account_id: null,
  date: '2026-01-17',
  authorized_date: null,
  amount: '12.50',
  iso_currency_code: 'EUR',
  description: 'COFFEE SHOP 12',
  merchant_name: null,
  balance: null,
  pending: false,
  message: null,
  raw: null,
  beside_transaction_id: null,
};

export const exampleImportRow = {
  ...exampleRow,
  outcome: 'duplicate' as const,
  reason: 'SAME_CONTENT',
  match: 'certain' as const,
  transaction_id: '019a8c60-1f2e-7b4c-8d5e-6f708192a3b4',
  account_id: account.account_id,
};

export const examplePreview = {
  headers: ['Date', 'Amount', 'Description'],
  preview_rows: [['2026-01-17', '-12.50', 'COFFEE SHOP 12']],
  total_rows: 1,
  delimiter: ',',
  inferred_mapping: { date: 0, amount: 1, description: 2 },
  template_name: null,
  positive_is_debit: false,
  date_format: 'YYYY-MM-DD',
  has_debit_credit: false,
  dry_run: true,
  ready: true,
  blockers: [],
  ...file,
  accounts: [{ ...account, account_id: null, connection_id: null }],
  ...reading,
  unmapped_columns: [],
  rows: [exampleRow],
  problems: [],
};
