import { Controller } from '@roundtable/core'
import { DataProvider, useController, useDLE, useQuery } from '@roundtable/react'
import { useMemo } from 'react'
import { actionsOf, getIssue, getIssues, getPinned, sortedIssues } from '../ours.js'
import type { App } from '../page/app.js'
import { reactApp } from './app.js'

/** Roundtable in React. */
export const app: App = reactApp(
  {
    useIssues: () => useDLE(getIssues).data,
    useSortedIssues() {
      useDLE(getIssues)
      return useQuery(sortedIssues)
    },
    useIssuesOf: (state) => useDLE(getIssues, { state }).data,
    useIssue: (id) => useDLE(getIssue, { id }).data,
    usePinned: () => useDLE(getPinned).data,
    useActions() {
      const controller = useController()
      return useMemo(() => actionsOf(controller), [controller])
    },
  },
  () => {
    const controller = new Controller()
    return {
      Provider: ({ children }) => <DataProvider controller={controller}>{children}</DataProvider>,
      end: () => controller.dispose(),
    }
  },
)
