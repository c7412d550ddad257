import { type ComponentType, memo, type ReactNode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { type Actions, type App, type Mounted, rendered, type Screen } from '../page/app.js'
import type { IssueData, State } from '../page/issues.js'

/** How a library reads and changes, as hooks; undefined while there is nothing yet. */
export interface Library {
  useIssues(): readonly IssueData[] | undefined
  useSortedIssues(): readonly IssueData[] | undefined
  useIssuesOf(state: State): readonly IssueData[] | undefined
  useIssue(id: number): IssueData | undefined
  usePinned(): readonly IssueData[] | undefined
  useActions(): Actions
}

/** What goes around a page, and how its cache ends with it. */
export interface Cache {
  readonly Provider: ComponentType<{ readonly children: ReactNode }>
  end(): void
}

/** An app of React with a library. `open` makes an empty cache. */
export function reactApp(library: Library, open: () => Cache): App {
  const Page = pageOf(library)
  return {
    mount(element) {
      const { Provider, end } = open()
      const root = createRoot(element)
      let actions: Actions | undefined
      const tell = (told: Actions): void => {
        actions = told
      }
      const mounted: Mounted = {
        get actions() {
          if (actions === undefined) throw new Error('The page is not there yet.')
          return actions
        },
        show(screen) {
          root.render(
            <Provider>
              <Page screen={screen} tell={tell} />
            </Provider>,
          )
        },
        unmount() {
          root.unmount()
          end()
        },
      }
      return mounted
    },
  }
}

interface PageProps {
  readonly screen: Screen
  readonly tell: (actions: Actions) => void
}

/** The views, over the hooks of a library. */
function pageOf(library: Library): ComponentType<PageProps> {
  const { useIssues, useSortedIssues, useIssuesOf, useIssue, usePinned, useActions } = library

  function PlainList(): ReactNode {
    return <List part="list" issues={useIssues()} />
  }

  function SortedList(): ReactNode {
    return <List part="list" issues={useSortedIssues()} />
  }

  function ListOf({ state }: { readonly state: State }): ReactNode {
    return <List part={state} issues={useIssuesOf(state)} />
  }

  function Detail({ id }: { readonly id: number }): ReactNode {
    const issue = useIssue(id)
    return <article data-part="detail">{issue ? <Text issue={issue} /> : <p>loading</p>}</article>
  }

  function Pinned(): ReactNode {
    const issues = usePinned()
    return <aside data-part="pinned">{issues ? issues.map(card) : <p>loading</p>}</aside>
  }

  function ActionsOf({ tell }: Pick<PageProps, 'tell'>): ReactNode {
    const actions = useActions()
    useEffect(() => tell(actions), [tell, actions])
    return null
  }

  return function Page({ screen, tell }) {
    return (
      <>
        {screen.pinned && <Pinned />}
        {screen.detail !== undefined && <Detail id={screen.detail} />}
        {screen.list === 'plain' && <PlainList />}
        {screen.list === 'sorted' && <SortedList />}
        {screen.states && <ListOf state="open" />}
        {screen.states && <ListOf state="closed" />}
        <ActionsOf tell={tell} />
      </>
    )
  }
}

interface WithIssue {
  readonly issue: IssueData
}

function List({
  part,
  issues,
}: {
  readonly part: string
  readonly issues: readonly IssueData[] | undefined
}): ReactNode {
  return <ul data-part={part}>{issues ? issues.map(row) : <p>loading</p>}</ul>
}

function row(issue: IssueData): ReactNode {
  return <Row key={issue.id} issue={issue} />
}

function card(issue: IssueData): ReactNode {
  return <Card key={issue.id} issue={issue} />
}

const Row = memo(function Row({ issue }: WithIssue): ReactNode {
  rendered.count++
  return (
    <li data-id={issue.id}>
      <b>{issue.title}</b> <i>{issue.author.name}</i>
    </li>
  )
})

const Card = memo(function Card({ issue }: WithIssue): ReactNode {
  rendered.count++
  return (
    <section data-id={issue.id}>
      <b>{issue.title}</b> <i>{issue.author.name}</i>
    </section>
  )
})

const Text = memo(function Text({ issue }: WithIssue): ReactNode {
  rendered.count++
  return (
    <>
      <b>{issue.title}</b> <i>{issue.author.name}</i> <em>{issue.state}</em>
    </>
  )
})
