/** How a test reaches into a reader. */
export class Handle {
  renders = 0
  args: readonly unknown[] = $state.raw([])
  isOpen: boolean = $state(true)

  constructor(args: readonly unknown[]) {
    this.args = args
  }

  /** Counts a look of a template. */
  seen(text: string): string {
    this.renders++
    return text
  }
}
