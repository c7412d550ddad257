import { denormalize, normalize, schema } from 'normalizr'
import { timeOnce } from './timed.js'

const task = new schema.Entity('tasks', { user: new schema.Entity('users') })

timeOnce((response) => {
  const { result, entities } = normalize(response, [task])
  return denormalize(result, [task] as never, entities)
})
