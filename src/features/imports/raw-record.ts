/** Writes the cells of a record as JSON by header name; a name that occurs again gets a number. */
export function rawOf(headers: readonly string[]): (cells: readonly string[]) => string {
  const times = new Map<string, number>();
  const keys = headers.map((header) => {
    const nth = (times.get(header) ?? 0) + 1;
    times.set(header, nth);
    return `${JSON.stringify(nth > 1 ? `${header}#${nth}` : header)}:`;
  });
  return (cells) => {
    let json = '{';
    for (let i = 0; i < keys.length; i++) {
      json += `${i > 0 ? ',' : ''}${keys[i] as string}${JSON.stringify(cells[i] ?? '')}`;
    }
    return `${json}}`;
  };
}
