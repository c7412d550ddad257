/** How a test reaches into a reader. */
export interface Handle {
  renders: number
  args: readonly unknown[]
  isOpen: boolean
  /** Counts a read by a template. */
  seen(text: string): string
}

export function handleOf(first: readonly unknown[]): Handle {
  let args = $state.raw(first)
  let isOpen = $state(true)
  return {
    renders: 0,
    get args() {
      return args
    },
    set args(next) {
      args = next
    },
    get isOpen() {
      return isOpen
    },
    set isOpen(next) {
      isOpen = next
    },
    seen(text) {
      this.renders++
      return text
    },
  }
}
