/** Rows that are read at once; by itself, since the frame needs it before the page (read-ahead.ts). */
export const PIECE_ROWS = 100;
