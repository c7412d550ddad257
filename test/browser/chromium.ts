import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'

/** Starts the system's Chromium, so that it writes nothing to the console by itself. */
export function startChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM_PATH.')
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  return chromium.launch({ executablePath, args })
}
