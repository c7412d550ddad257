import { AsyncBoundary, DataProvider, useController, useDLE, useLive, useSuspense } from '@roundtable/react'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { controller, deeds, settings } from '../settings.js'
import { Failure } from './failure.js'

interface ReaderProps {
  readonly id: string
}

function SuspenseReader({ id }: ReaderProps): ReactNode {
  return <p>{useSuspense(settings.read, { id }).title}</p>
}

function LiveQueryer({ id }: ReaderProps): ReactNode {
  return <p>{useLive(settings.read, { id }).title}</p>
}

function DLEReader({ id }: ReaderProps): ReactNode {
  const controller = useController()
  const { data, loading, error } = useDLE(settings.read, { id })
  if (loading) return <p>loading</p>
  if (error) return <Failure error={error} resetErrorBoundary={() => controller.dropError(error)} />
  return <p>{data?.title}</p>
}

const Reader = { suspense: SuspenseReader, live: LiveQueryer, dle: DLEReader }[settings.hook]

function Section({ index }: { readonly index: number }): ReactNode {
  const [id, setId] = useState('1')
  const [isOpen, setOpen] = useState(true)
  return (
    <section data-reader={index}>
      <button type="button" onClick={() => setId('1')}>
        Todo 1
      </button>
      <button type="button" onClick={() => setId('2')}>
        Todo 2
      </button>
      <button type="button" onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Close' : 'Open'}
      </button>
      <output>
        {isOpen && (
          <AsyncBoundary fallback={<p>loading</p>} errorComponent={Failure}>
            <Reader id={id} />
          </AsyncBoundary>
        )}
      </output>
    </section>
  )
}

function Page(): ReactNode {
  return (
    <DataProvider controller={controller}>
      {Object.entries(deeds).map(([name, deed]) => (
        <button key={name} type="button" onClick={deed}>
          {name}
        </button>
      ))}
      {settings.readers.map((index) => (
        <Section key={index} index={index} />
      ))}
    </DataProvider>
  )
}

// Errors that a boundary has shown need not be printed.
const root = createRoot(document.querySelector('main') as HTMLElement, { onCaughtError: () => {} })
root.render(<Page />)
