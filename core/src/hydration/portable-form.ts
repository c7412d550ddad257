/** The form of a result where classes are numbered: another process may have met them in another order. */
export function portableForm(form: string): string {
  return form.replace(/#\d+/g, '#')
}
