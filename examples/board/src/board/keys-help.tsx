import type { ReactNode } from 'react'
import { Icon } from './icon.js'
import { KEYS } from './keys.js'

/** A button that shows the board's keyboard shortcuts. */
export function KeysHelp(): ReactNode {
  return (
    <>
      <button type="button" className="icon-button keys-button" popoverTarget="keys" aria-label="Keys" title="Keys">
        <Icon name="keys" />
      </button>
      <div className="keys" id="keys" popover="auto">
        <h3>Keys on a card</h3>
        <dl>
          {KEYS.map(([keys, meaning]) => (
            <div key={keys} style={{ display: 'contents' }}>
              <dt>
                <kbd className="kbd">{keys}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  )
}
