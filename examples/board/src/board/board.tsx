import { AsyncBoundary, useDLE } from '@roundtable/react'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { getPeople } from '../api/person.js'
import { getProjects, type Project } from '../api/project.js'
import { $projectId } from '../app/selection.js'
import { $isLive } from '../live/live-mode.js'
import { Columns } from './columns.js'
import { Failure } from './failure.js'
import { KeysHelp } from './keys-help.js'
import { LiveMark } from './live-mark.js'
import { Projects } from './projects.js'
import { BoardSkeleton } from './skeleton.js'
import { useAtom } from './use-atom.js'

/** The React panel: the board with its columns. */
export function Board(): ReactNode {
  const { data: projects, loading } = useDLE(getProjects)
  // Tasks refer to their assignees; this loads their rows.
  useDLE(getPeople)
  const projectId = useAtom($projectId)
  const isLive = useAtom($isLive)
  const [filter, setFilter] = useState('')
  // The old project and the old words stay on screen until the new ones are ready.
  const shownProject = useDeferredValue(projectId)
  const words = useDeferredValue(filter).trim().toLowerCase()
  const colors = useMemo(() => (shownProject === undefined ? colorsOf(projects) : undefined), [projects, shownProject])

  return (
    <>
      <header className="panel-head board-head">
        <h2>Board</h2>
        <Projects projects={projects} isLoading={loading} />
        <input
          className="field board-filter push"
          type="search"
          placeholder="Filter titles"
          aria-label="Filter titles"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
        <KeysHelp />
        {isLive && <LiveMark />}
        <span className="maker" data-maker="react">
          React
        </span>
      </header>
      <AsyncBoundary fallback={<BoardSkeleton />} errorComponent={BoardFailure}>
        <Columns projectId={shownProject} colors={colors} words={words} isStale={shownProject !== projectId} />
      </AsyncBoundary>
    </>
  )
}

function BoardFailure({ error, resetErrorBoundary }: { error: Error; resetErrorBoundary: () => void }): ReactNode {
  return <Failure error={error} retry={resetErrorBoundary} />
}

function colorsOf(projects: readonly Project[] | undefined): ReadonlyMap<number, string> {
  return new Map(projects?.map(({ id, color }) => [id, color]))
}
