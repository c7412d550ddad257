/** A program with this many endpoints and resources, as an application would have them: defined, called, extended, read. */
export function corpus(endpoints, resources) {
  const lines = [
    "import { Collection, Entity, resource, RestEndpoint } from '@roundtable/core'",
    'declare function read<E extends (...args: any) => any>(endpoint: E, ...args: Parameters<E>): ReturnType<E>',
    'class Post extends Entity {',
    "  id = ''; title = ''; body = ''; likes = 0",
    '  pk() { return this.id }',
    "  static key = 'Post'",
    '}',
  ]
  for (let n = 0; n < endpoints; n++) lines.push(...kinds[n % kinds.length](n))
  for (let n = 0; n < resources; n++) lines.push(...oneResource(n))
  return lines.join('\n')
}

/** Each kind takes a number, so that no two endpoints have the same types. */
const kinds = [
  (n) => [`const e${n} = new RestEndpoint({ path: '/a${n}/:id${n}', schema: Post })`, `read(e${n}, { id${n}: 5 })`],
  (n) => [
    `const e${n} = new RestEndpoint({ path: '/a${n}', schema: [Post], searchParams: {} as { page${n}?: number } })`,
    `read(e${n}, { page${n}: 5 })`,
    `read(e${n})`,
  ],
  (n) => [
    `const e${n} = new RestEndpoint({ path: '/a${n}/:id', method: 'PUT', body: {} as { title${n}: string }, schema: Post })`,
    `e${n}({ id: 5 }, { title${n}: 'a' })`,
    `read(e${n}.extend({ path: '/b${n}/:nr/c' }), { nr: 5 }, { title${n}: 'a' })`,
  ],
  (n) => [
    `const e${n} = new RestEndpoint({ path: '/a${n}{/:a}{-:b${n}}', process: (value: any): { n${n}: number } => value })`,
    `e${n}({ a: 5 }).then((value) => value.n${n})`,
  ],
  (n) => [
    `const e${n} = new RestEndpoint({`,
    `  path: '/lists/:list${n}/posts', schema: new Collection([Post]), paginationField: 'cursor${n}',`,
    `  searchParams: {} as { sort?: string },`,
    `})`,
    `read(e${n}, { list${n}: 5 })`,
    `read(e${n}.push, { list${n}: 5 }, { title: 'a' })`,
    `read(e${n}.getPage, { list${n}: 5, cursor${n}: 'a' })`,
  ],
  (n) => [
    `const e${n} = new RestEndpoint({`,
    `  path: '/a${n}/:id', method: 'PATCH', body: {} as { likes${n}: number }, schema: Post,`,
    `  getOptimisticResponse(snapshot, { id }, { likes${n} }) { return { id, likes: likes${n} } },`,
    `})`,
    `read(e${n}, { id: 5 }, { likes${n}: 5 })`,
  ],
  (n) => [
    `const e${n} = new RestEndpoint({ path: '/files${n}/*path', content: 'blob' })`,
    `read(e${n}, { path: ['a', 'b'] })`,
    `e${n}.extend({ dataExpiryLength: ${n} }).extend({ urlPrefix: '/v${n}' })({ path: ['a'] })`,
  ],
  (n) => [
    `class Own${n}<O extends { path: string } = any> extends RestEndpoint<O> { token${n} = '' }`,
    `const e${n} = new Own${n}({ path: '/own${n}/:id', schema: Post })`,
    `read(e${n}, { id: 5 })`,
  ],
]

function oneResource(n) {
  return [
    `const r${n} = resource({ path: '/r${n}/:group${n}/posts/:id', schema: Post, searchParams: {} as { q${n}?: string } })`,
    `read(r${n}.get, { group${n}: 5, id: 5 })`,
    `read(r${n}.getList, { group${n}: 5, q${n}: 'a' })`,
    `read(r${n}.getList.push, { group${n}: 5 }, { title: 'a' })`,
    `read(r${n}.update, { group${n}: 5, id: 5 }, { title: 'a' })`,
    `read(r${n}.partialUpdate, { group${n}: 5, id: 5 }, { title: 'a' })`,
    `read(r${n}.delete, { group${n}: 5, id: 5 })`,
    `const x${n} = r${n}.extend('getList', { paginationField: 'cursor' })`,
    `read(x${n}.getList.getPage, { group${n}: 5, cursor: 5 })`,
  ]
}
