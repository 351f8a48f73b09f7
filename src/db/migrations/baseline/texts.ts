/** SQLite: word-padded trigrams of each text, for candidates of substrings and exact counts of similarity. */
export const textsOfSqlite: readonly string[] = [
  `create virtual table texts_trigrams using fts5 (
    padded, content = '', contentless_delete = 1, detail = none, tokenize = "trigram case_sensitive 1")`,
  `create virtual table texts_trigrams_vocabulary using fts5vocab ('texts_trigrams', 'instance')`,
];

/** PostgreSQL keeps the trigrams in the table of texts. */
export const textsOfPostgres: readonly string[] = [`create index texts_trigrams on texts using gin (trigrams)`];
