import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { App } from '../page/app.js'
import { byRank, type IssueData } from '../page/issues.js'
import { get, thenRefetch } from '../requests.js'
import { reactApp } from './app.js'

interface Version {
  readonly version: number
  readonly increase: () => void
}

/** Counts up when something was changed, so that everybody who is mounted asks again. */
const VersionContext = createContext<Version>({ version: 0, increase() {} })

function Provider({ children }: { readonly children: ReactNode }): ReactNode {
  const [version, setVersion] = useState(0)
  const value = useMemo(() => ({ version, increase: () => setVersion((now) => now + 1) }), [version])
  return <VersionContext value={value}>{children}</VersionContext>
}

function useFetched<Data>(path: string): Data | undefined {
  const { version } = useContext(VersionContext)
  const [fetched, setFetched] = useState<{ readonly path: string; readonly data: Data }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: of a new version everything is asked for again.
  useEffect(() => {
    let isHere = true
    get<Data>(path).then((data) => {
      if (isHere) setFetched({ path, data })
    })
    return () => {
      isHere = false
    }
  }, [path, version])
  return fetched?.path === path ? fetched.data : undefined
}

/** React alone: each view fetches in an effect and keeps what came in its state. */
export const app: App = reactApp(
  {
    useIssues: () => useFetched<IssueData[]>('/api/issues'),
    useSortedIssues() {
      const issues = useFetched<IssueData[]>('/api/issues')
      return useMemo(() => issues && byRank(issues), [issues])
    },
    useIssuesOf: (state) => useFetched<IssueData[]>(`/api/issues?state=${state}`),
    useIssue: (id) => useFetched<IssueData>(`/api/issues/${id}`),
    usePinned: () => useFetched<IssueData[]>('/api/pinned'),
    useActions() {
      const { increase } = useContext(VersionContext)
      return useMemo(() => thenRefetch(increase), [increase])
    },
  },
  () => ({ Provider, end() {} }),
)
