import { logName } from './device/log-name.js'

// Two whole pages side by side: each has its own controller, and they share only the log.
const url = `/?log=${logName ?? 'device'}`
for (const frame of document.querySelectorAll('iframe')) frame.src = url
document.querySelector<HTMLAnchorElement>('#back')?.setAttribute('href', url)
