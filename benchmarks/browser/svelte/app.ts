import { mount, unmount } from 'svelte'
import { type Writable, writable } from 'svelte/store'
import type { Actions, App, Screen } from '../page/app.js'
import type { IssueData } from '../page/issues.js'
import Page from './page.svelte'

/** Something to look at again and again. */
export interface Shown<Value> {
  readonly data: Value | undefined
}

/**
 * How a library reads, as functions that are called while a component starts. Svelte's pages show fewer things than
 * React's.
 */
export interface Library {
  useIssues(): Shown<readonly IssueData[]>
  useIssue(id: number): Shown<IssueData>
  usePinned(): Shown<readonly IssueData[]>
}

/** An empty cache. */
export interface Cache {
  readonly actions: Actions
  /** Called while the page starts. */
  provide(): void
  end(): void
}

/** What the page is given. */
export interface PageProps {
  readonly library: Library
  readonly provide: () => void
  readonly screen: Writable<Screen>
}

/** An app of Svelte with a library. */
export function svelteApp(library: Library, open: () => Cache): App {
  return {
    mount(target) {
      const { actions, provide, end } = open()
      const screen = writable<Screen>({})
      const props: PageProps = { library, provide, screen }
      const page = mount(Page, { target, props })
      return {
        actions,
        show: (next) => screen.set(next),
        unmount() {
          void unmount(page)
          end()
        },
      }
    },
  }
}
