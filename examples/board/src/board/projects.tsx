import type { ReactNode } from 'react'
import type { Project } from '../api/project.js'
import { $projectId } from '../app/selection.js'
import type {} from './css-variables.js'
import { useAtom } from './use-atom.js'

/** The switch between the projects. */
export function Projects({ projects = [], isLoading }: ProjectsProps): ReactNode {
  const chosen = useAtom($projectId)
  if (isLoading) return <span className="skeleton" style={{ width: 420, height: 32 }} />
  return (
    <fieldset className="projects">
      <legend className="visually-hidden">Project</legend>
      <Choice name="All" isChosen={chosen === undefined} choose={() => $projectId.set(undefined)} />
      {projects.map(({ id, name, color, description }) => (
        <Choice
          key={id}
          name={name}
          color={color}
          title={description}
          isChosen={chosen === id}
          choose={() => $projectId.set(id)}
        />
      ))}
    </fieldset>
  )
}

interface ProjectsProps {
  readonly projects: readonly Project[] | undefined
  readonly isLoading: boolean
}

function Choice({ name, color, title, isChosen, choose }: ChoiceProps): ReactNode {
  return (
    <button type="button" className="project" title={title} aria-pressed={isChosen} onClick={choose}>
      {color && <span className="dot" style={{ '--color': color }} />}
      {name}
    </button>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly color?: string
  readonly title?: string
  readonly isChosen: boolean
  readonly choose: () => void
}
