/** Writes rows as CSV (RFC 4180) with a line of headings. */
export function csvOf<Name extends string>(names: readonly Name[], rows: readonly Record<Name, unknown>[]): string {
  const lines = [names.join(','), ...rows.map((row) => names.map((name) => cell(row[name])).join(','))]
  return `${lines.join('\r\n')}\r\n`
}

function cell(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value ?? '')
  // A spreadsheet takes a cell that begins with one of these for a formula, and runs it.
  const inert = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
