// Writes into the pages what they take from elsewhere: code, and which framework it is for. `npm run docs:write`
import { writePages } from './pages.js'

const { written, problems } = writePages()
console.log(written.length === 0 ? 'Every page is as it should be.' : `Written:\n${written.join('\n')}`)
if (problems.length > 0) {
  console.error(`\nNot written:\n${problems.join('\n')}`)
  process.exitCode = 1
}
