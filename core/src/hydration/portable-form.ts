/** Returns a form without the numbers of classes, which differ between processes. */
export function portableForm(form: string): string {
  return form.replace(/#\d+/g, '#')
}
