import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../scripts/chromium.mjs'
import { HANGS } from '../hangs.js'

/**
 * Starts the system's Chromium, so that it writes nothing to the console by itself, and reaches no other machine. No
 * page of it gives up before what hangs.
 */
export async function startChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('No Chromium found. Install one, or set CHROMIUM_PATH.')
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  ]
  const browser = await chromium.launch({ executablePath, args, timeout: HANGS })
  browser.on('context', (context) => context.setDefaultTimeout(HANGS))
  return browser
}
