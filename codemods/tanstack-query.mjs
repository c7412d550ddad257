// TanStack Query for React → Roundtable, without rows: each query becomes an endpoint with the same key and the same
// function.
import { Imports } from './imports.mjs'
import { argumentsOf, membersOf, nameOf, statementOf, TODO, textOf } from './source.mjs'

const react = '@tanstack/react-query'
const others = ['@tanstack/vue-query', '@tanstack/svelte-query', '@tanstack/solid-query', '@tanstack/query-core']

/** The replacements of names that are not rewritten. */
const remedies = {
  useInfiniteQuery:
    'usePages(getTodos), with paginationField on the endpoint: data is the list of all pages, fetchNextPage is fetchNext, hasNextPage is hasNext',
  useSuspenseInfiniteQuery: 'usePages(getTodos), with paginationField on the endpoint; it does not suspend',
  useQueries:
    'useSuspense([getA, args], [getB, args]) reads several at once; for a list of ids use an endpoint with batch, one useDLE in the component of each row',
  useSuspenseQueries: 'useSuspense([getA, args], [getB, args]) reads several at once',
  useIsFetching: 'useFetching() tells whether a read is in flight, useFetching(endpoint, …args) whether one is',
  useIsMutating: 'useMutating() tells whether a mutation is in flight',
  useMutationState:
    'optimistic changes are in the store: read the rows. useMutating(endpoint) tells whether one is on its way',
  QueryErrorResetBoundary: 'ErrorBoundary and AsyncBoundary reset the requests that failed; nothing else is needed',
  useQueryErrorResetBoundary: 'ErrorBoundary and AsyncBoundary reset the requests that failed; nothing else is needed',
  HydrationBoundary: "hydrate(controller, payload) of '@roundtable/core/hydration', see the guide on server rendering",
  hydrate: "hydrate(controller, payload) of '@roundtable/core/hydration', see the guide on server rendering",
  dehydrate: "dehydrate(controller) of '@roundtable/core/hydration', see the guide on server rendering",
  queryOptions:
    'the options belong to an endpoint: new RestEndpoint({ path, schema }) or new Endpoint(queryFn, { name })',
  infiniteQueryOptions: 'the options belong to an endpoint: new RestEndpoint({ path, schema, paginationField })',
  mutationOptions: 'the options belong to an endpoint: new RestEndpoint({ path, method, schema })',
  keepPreviousData: 'useDLE(keepPrevious(endpoint), …args) shows the data of the previous arguments',
  skipToken: 'null instead of the arguments: useDLE(endpoint, id ? { id } : null)',
  useMutation:
    'const [run, loading, error] = useLoading((body) => controller.fetch(endpoint, …args, body)). The response updates every view of its rows, so nothing is invalidated',
  useQuery: 'useDLE(endpoint, …args), with new RestEndpoint({ path, schema }) or new Endpoint(queryFn, { name })',
  useSuspenseQuery:
    'useSuspense(endpoint, …args), with new RestEndpoint({ path, schema }) or new Endpoint(queryFn, { name })',
  usePrefetchQuery: 'controller.fetchIfStale(endpoint, …args)',
  focusManager: 'revalidate({ focus: { throttle } }) as a manager of the controller',
  onlineManager: 'revalidate({ reconnect: { jitter } }) as a manager of the controller',
  QueryCache: "controller.on('error', …) and the other events of the controller",
  MutationCache: "controller.on('error', …) and the other events of the controller",
  queryOption: {
    select: 'select(endpoint, fn) of @roundtable/core marks the endpoint: useDLE(select(endpoint, fn), …args)',
    placeholderData: 'keepPrevious(endpoint) shows the previous data, initial(endpoint, value) another value',
    initialData: 'initial(endpoint, value) shows a value until there is data; controller.setResponse writes one',
    refetchInterval: 'pollFrequency of the endpoint, and useSubscription(endpoint, …args) beside the read',
    gcTime: 'retention: { after } of the controller, for all data',
    retry: 'retry of the endpoint: retry(3), retry(0) for none',
    retryDelay: 'retry({ delay: (failures) => ms }) of the endpoint',
    networkMode: 'retry() waits while the device is offline',
    meta: 'an endpoint keeps any option as a member',
    throwOnError: 'useSuspense throws to the nearest boundary, useDLE returns the error',
    refetchOnWindowFocus: 'revalidate({ focus }) of the controller, for all data',
    refetchOnMount: 'stale data is fetched at mount; dataExpiryLength tells when it is stale',
    refetchOnReconnect: 'revalidate({ reconnect }) of the controller, for all data',
    structuralSharing: 'equal data keeps its identity always',
  },
  result: {
    isError: 'error !== undefined',
    isSuccess: 'data !== undefined',
    isFetching: 'loading || refreshing',
    isRefetching: 'refreshing',
    isPending: 'data === undefined && !error: loading is false while the arguments are null',
    status: 'loading, error and data',
    fetchStatus: 'refreshing, or useFetching(endpoint, …args)',
    isPlaceholderData: 'refreshing',
    dataUpdatedAt: 'controller.getResponse(endpoint, …args).expiresAt tells until when it is fresh',
    failureCount: 'failureCount of useDLE(endpoint, …args)',
  },
  client: {
    setQueryData:
      'controller.set(Todo, { id }, fields) writes a row for every view, controller.setResponse(endpoint, …args, response) a response',
    setQueriesData: 'controller.set(Todo, { id }, fields) writes a row for every view',
    getQueryData: 'controller.getResponse(endpoint, …args).data, or controller.get(Todo, { id })',
    getQueriesData: 'controller.get(new All(Todo))',
    getQueryState: 'controller.getResponse(endpoint, …args)',
    fetchQuery: 'await controller.fetchIfStale(endpoint, …args)',
    ensureQueryData: 'await controller.fetchIfStale(endpoint, …args)',
    prefetchQuery: 'controller.fetchIfStale(endpoint, …args), and catch its error',
    fetchInfiniteQuery: 'controller.fetchIfStale(getTodos)',
    prefetchInfiniteQuery: 'controller.fetchIfStale(getTodos), and catch its error',
    cancelQueries: 'remove it: a response that was sent before an optimistic change does not undo it',
    refetchQueries: 'controller.expireAll(endpoint): what is mounted is fetched',
    resetQueries: 'controller.invalidateAll(endpoint)',
    removeQueries: 'controller.invalidateAll(endpoint)',
    clear: 'controller.resetEntireStore()',
    getQueryCache: "controller.on('commit' | 'fetch' | 'settle' | 'error', …) reports what happens",
    getMutationCache: "controller.on('fetch' | 'settle' | 'error', …) reports what happens",
    isFetching: 'controller.observe(reading).getSnapshot()',
    isMutating: 'controller.observe(mutating).getSnapshot()',
    setDefaultOptions: 'options of new Controller',
    setQueryDefaults: 'options of the endpoint',
    setMutationDefaults: 'options of the endpoint',
    suspend: 'remove it',
  },
}

const retries =
  'retry repeats what can pass by itself: no response, a timeout, 408, 425, 429 and 5xx. An error that a function of yours throws is none of these: let an endpoint send the request'
const withoutRows =
  'this stores responses as they are. new RestEndpoint({ path, schema: new Collection([Todo]) }) stores rows, which mutations update in every view'

/** Rewrites the files of a React application that uses TanStack Query. */
export function tanstackQuery(sources) {
  for (const source of sources) {
    const imports = new Imports(source, (module) => module === react)
    const file = new File(source, imports)
    if (imports.found.size > 0) file.rewrite()
    for (const literal of source.find('string')) {
      if (!others.includes(textOf(literal))) continue
      source.todo(
        literal,
        `${textOf(literal)}: only React is rewritten. See “Coming from TanStack Query” for what to write here`,
      )
    }
  }
}

class File {
  #source
  #imports
  #isTyped
  #endpoints = new Map()
  /** Imported names with uses that are not rewritten. */
  #open = new Set()

  constructor(source, imports) {
    this.#source = source
    this.#imports = imports
    this.#isTyped = /\.[cm]?tsx?$/.test(source.name)
  }

  rewrite() {
    const rewriters = {
      useQuery: (call) => this.#query(call),
      useSuspenseQuery: (call) => this.#suspense(call),
      useMutation: (call) => this.#mutation(call),
      useQueryClient: (call) => this.#useClient(call),
      QueryClient: (creation) => this.#client(creation),
    }
    for (const call of this.#source.find('call_expression', 'new_expression')) {
      const name = this.#imports.found.get((call.field('function') ?? call.field('constructor')).text())?.name
      if (!name || !Object.hasOwn(rewriters, name)) continue
      const problem = rewriters[name](call)
      if (problem === undefined) continue
      this.#open.add(name)
      this.#source.todo(call, `${name}: ${problem}`)
    }
    this.#provider()
    this.#clientCalls()
    this.#moveImports()
  }

  // — queries —

  #query(call) {
    const query = this.#read(call)
    if (typeof query === 'string') return query
    const pattern = this.#pattern(call)
    if (!pattern) return `${remedies.useQuery}. Destructure its result: { data, loading, error, refreshing, refetch }`
    const renamed = renamedMembers(pattern, query.enabled !== undefined)
    if (typeof renamed === 'string') return renamed
    this.#source.replace(pattern, `{ ${renamed.join(', ')} }`)
    this.#source.replace(call, `useDLE(${this.#readArguments(query)})`)
    this.#imports.add('@roundtable/react', 'useDLE')
    this.#source.note(call, 'error is undefined, not null, while there is none; data is frozen in development')
    return undefined
  }

  #suspense(call) {
    const query = this.#read(call)
    if (typeof query === 'string') return query
    const pattern = this.#pattern(call)
    const [member, ...more] = pattern ? membersOf(pattern) : []
    if (!member || more.length > 0 || nameOf(member) !== 'data' || query.enabled) {
      return `${remedies.useSuspenseQuery}: it returns the data alone`
    }
    this.#source.replace(pattern, member.field('value')?.text() ?? 'data')
    this.#source.replace(call, `useSuspense(${this.#readArguments(query)})`)
    this.#imports.add('@roundtable/react', 'useSuspense')
    return undefined
  }

  /** Reads the options of a query. Returns a text about what to write if they are not certain. */
  #read(call) {
    const [options, ...more] = argumentsOf(call)
    const name = this.#imports.found.get(call.field('function').text()).name
    if (options?.kind() !== 'object' || more.length > 0) return remedies[name]
    const byName = new Map(membersOf(options).map((member) => [nameOf(member), member]))
    const unknown = [...byName.keys()].find(
      (option) => !['queryKey', 'queryFn', 'enabled', 'staleTime'].includes(option),
    )
    if (unknown !== undefined || byName.has(undefined)) {
      const remedy = remedies.queryOption[unknown]
      return `${remedies[name]}${remedy ? `. ${unknown}: ${remedy}` : ''}`
    }
    const key = byName.get('queryKey')?.field('value')
    const fetcher = this.#fetcher(byName.get('queryFn')?.field('value'))
    if (key?.kind() !== 'array' || !fetcher)
      return `${remedies[name]}. Its arguments are those of the query function; there is no key to write`
    const parts = membersOf(key)
    const dynamic = parts.filter((part) => !isLiteral(part))
    const isFixed = dynamic.length === 0 && fetcher.args.every(isLiteral)
    const passed = isFixed ? [] : fetcher.args.map((arg) => arg.text().replace(/!$/, ''))
    const isSame = passed.every((arg, index) => dynamic[index]?.text() === arg) && dynamic.length === passed.length
    if (!isSame || new Set(passed).size !== passed.length) {
      return `${remedies[name]}. The query function does not take exactly what queryKey contains: decide which are the arguments`
    }
    const enabled = byName.get('enabled')?.field('value')?.text()
    if (enabled !== undefined && passed.length !== 1)
      return `${remedies[name]}. enabled: pass null instead of the arguments`
    const staleTime = byName.get('staleTime')?.field('value')?.text()
    const fixed = isFixed ? fetcher.args.map((arg) => arg.text()) : []
    return { parts, passed, fixed, enabled, staleTime, callee: fetcher.callee, at: call }
  }

  /** Reads `() => fetchTodo(id)`, where fetchTodo belongs to the module, not to the component. */
  #fetcher(queryFn) {
    if (queryFn?.kind() !== 'arrow_function') return undefined
    const hasParameters = membersOf(queryFn.field('parameters')).length > 0 || queryFn.field('parameter')
    const body = queryFn.field('body')
    if (hasParameters || body.kind() !== 'call_expression') return undefined
    const callee = body.field('function')
    const [root] = callee.text().split('.')
    if (!/^[\w$]+(?:\.[\w$]+)*$/.test(callee.text()) || !this.#moduleNames.has(root)) return undefined
    return { callee: callee.text(), args: argumentsOf(body) }
  }

  /** The names that are imported or declared at the top level of the file. */
  get #moduleNames() {
    const names = new Set()
    for (const node of this.#source.root.children()) {
      const declaration = node.field('declaration') ?? node
      const name = declaration.field('name')?.text()
      if (name) names.add(name)
      for (const variable of declaration.children().filter((child) => child.kind() === 'variable_declarator')) {
        names.add(variable.field('name').text())
      }
      if (node.kind() !== 'import_statement') continue
      for (const each of node.findAll({ rule: { kind: 'identifier' } })) names.add(each.text())
    }
    return names
  }

  #readArguments(query) {
    const endpoint = this.#endpoint(query)
    if (query.enabled !== undefined) return `${endpoint}, ${query.enabled} ? ${query.passed[0]} : null`
    return [endpoint, ...query.passed].join(', ')
  }

  /** Defines the endpoint of a query above the component. @returns its name */
  #endpoint({ parts, passed, fixed, staleTime, callee, at }) {
    const parameters = passed.map((arg, index) => (/^[\w$]+$/.test(arg) ? arg : `arg${index + 1}`))
    const key = parts
      .map((part) => (isLiteral(part) ? part.text() : parameters[passed.indexOf(part.text())]))
      .join(', ')
    const options = [
      `key: (${parameters.join(', ')}) => JSON.stringify([${key}])`,
      staleTime && `dataExpiryLength: ${staleTime}`,
    ]
    const types = this.#isTyped ? `: Parameters<typeof ${callee}>` : ''
    const fetcher =
      passed.length > 0 ? `(...args${types}) => ${callee}(...args)` : `() => ${callee}(${fixed.join(', ')})`
    const definition = `new Endpoint(${fetcher}, {\n  ${options.filter(Boolean).join(',\n  ')},\n})`
    const existing = this.#endpoints.get(definition)
    if (existing) return existing
    const name = this.#freeName(`${callee.split('.').at(-1)}Endpoint`)
    this.#endpoints.set(definition, name)
    this.#imports.add('@roundtable/core', 'Endpoint')
    let top = statementOf(at)
    while (top.parent().kind() !== 'program') top = statementOf(top.parent())
    this.#source.insertBefore(top, `${TODO}${withoutRows}\nconst ${name} = ${definition}\n\n`)
    return name
  }

  #freeName(wanted) {
    const isTaken = (name) =>
      new RegExp(`\\b${name}\\b`).test(this.#source.text) || [...this.#endpoints.values()].includes(name)
    let name = wanted
    for (let count = 2; isTaken(name); count++) name = `${wanted}${count}`
    return name
  }

  #pattern(call) {
    const declarator = call.parent()
    const pattern = declarator?.kind() === 'variable_declarator' ? declarator.field('name') : undefined
    return pattern?.kind() === 'object_pattern' ? pattern : undefined
  }

  // — mutations —

  #mutation(call) {
    const pattern = this.#pattern(call)
    const [options] = argumentsOf(call)
    if (!pattern || options?.kind() !== 'object') return remedies.useMutation
    const byName = new Map(membersOf(options).map((member) => [nameOf(member), member.field('value')]))
    const results = new Map(
      membersOf(pattern).map((member) => [nameOf(member), member.field('value')?.text() ?? nameOf(member)]),
    )
    const isKnown =
      [...byName.keys()].every((name) => ['mutationFn', 'onSuccess'].includes(name)) &&
      [...results.keys()].every((name) => ['mutate', 'isPending', 'error'].includes(name))
    const run = results.get('mutate')
    const fn = byName.get('mutationFn')
    const after = afterSuccess(byName.get('onSuccess'))
    const isCalledWithOptions = this.#source
      .find('call_expression')
      .some((each) => each.field('function').text() === run && argumentsOf(each).length > 1)
    if (!isKnown || !run || after === undefined || isCalledWithOptions) return remedies.useMutation
    const work = this.#work(fn)
    if (!work) return remedies.useMutation
    const names = [run, results.get('isPending'), results.get('error')]
    while (names.at(-1) === undefined) names.pop()
    this.#source.replace(pattern, `[${names.map((name) => name ?? '').join(', ')}]`)
    const rewritten = this.#rewriteClientCalls(after)
    this.#source.replace(
      call,
      `useLoading(async ${work.parameters} => {\n    await ${work.call}${rewritten ? `\n    ${rewritten}` : ''}\n  })`,
    )
    this.#imports.add('@roundtable/react', 'useLoading')
    this.#source.todo(
      call,
      'send it by controller.fetch(endpoint, …args, body) with an endpoint that has a schema: its response updates every view of its rows, and nothing is to be expired',
    )
    return undefined
  }

  #work(fn) {
    if (fn?.kind() === 'identifier' && this.#moduleNames.has(fn.text())) {
      const types = this.#isTyped ? `: Parameters<typeof ${fn.text()}>` : ''
      return { parameters: `(...args${types})`, call: `${fn.text()}(...args)` }
    }
    const body = fn?.kind() === 'arrow_function' ? fn.field('body') : undefined
    if (body?.kind() !== 'call_expression') return undefined
    return { parameters: fn.field('parameters')?.text() ?? `(${fn.field('parameter').text()})`, call: body.text() }
  }

  // — the client —

  #useClient(call) {
    if (argumentsOf(call).length > 0) return 'useController() returns the controller of the nearest DataProvider'
    this.#source.replace(call, 'useController()')
    this.#imports.add('@roundtable/react', 'useController')
    return undefined
  }

  /** Writes a controller with TanStack Query's defaults. */
  #client(creation) {
    const defaults = clientDefaults(argumentsOf(creation)[0])
    if (!defaults)
      return 'new Controller({ dataExpiryLength, retention: { after }, retry: retry(2), managers: [revalidate()] }) has the options for all queries; those of one query belong to its endpoint'
    const { staleTime = '0', gcTime, retry = '3', refetchOnWindowFocus } = defaults
    const focus = refetchOnWindowFocus === 'false' ? '{ focus: false }' : ''
    const options = [`dataExpiryLength: ${staleTime}`]
    if (gcTime) options.push(`retention: { after: ${gcTime} }`)
    if (retry !== 'false' && retry !== '0') options.push(`retry: retry({ limit: ${retry}, methods: [] })`)
    options.push(`managers: [revalidate(${focus})]`)
    this.#source.replace(creation, `new Controller({\n  ${options.join(',\n  ')},\n})`)
    for (const name of ['Controller', 'retry', 'revalidate']) {
      if (name !== 'retry' || options.some((option) => option.startsWith('retry')))
        this.#imports.add('@roundtable/core', name)
    }
    this.#source.todo(
      creation,
      'options that were not given have the defaults of TanStack Query; those of new Controller() are 60 s, no retries, no refetch on focus',
    )
    if (options.some((option) => option.startsWith('retry'))) this.#source.todo(creation, retries)
    return undefined
  }

  #provider() {
    const provider = this.#imports.local(react, 'QueryClientProvider')
    if (!provider) return
    for (const element of this.#source.find('jsx_opening_element', 'jsx_closing_element', 'jsx_self_closing_element')) {
      if (element.field('name')?.text() !== provider) continue
      this.#source.replace(element.field('name'), 'DataProvider')
      for (const attribute of element.children().filter((child) => child.kind() === 'jsx_attribute')) {
        const [name] = attribute.children()
        if (name.text() === 'client') this.#source.replace(name, 'controller')
      }
    }
    this.#imports.add('@roundtable/react', 'DataProvider')
  }

  /** The variables that contain the client. */
  get #clients() {
    const makers = ['QueryClient', 'useQueryClient'].map((name) => this.#imports.local(react, name)).filter(Boolean)
    const names = new Set(['queryClient'])
    for (const variable of this.#source.find('variable_declarator')) {
      const value = variable.field('value')
      const maker = (value?.field('function') ?? value?.field('constructor'))?.text()
      if (makers.includes(maker)) names.add(variable.field('name').text())
    }
    return names
  }

  #clientCalls() {
    const clients = this.#clients
    for (const call of this.#source.find('call_expression')) {
      const callee = call.field('function')
      if (callee.kind() !== 'member_expression' || !clients.has(callee.field('object').text())) continue
      const name = callee.field('property').text()
      const next = name === 'invalidateQueries' ? this.#expire(call) : undefined
      if (next) this.#source.replace(call, next)
      else if (name === 'invalidateQueries') {
        this.#source.todo(
          call,
          'invalidateQueries: controller.expireAll(endpoint), which does not wait for the requests. After a mutation with a schema nothing is to be expired',
        )
      } else if (remedies.client[name]) this.#source.todo(call, `${name}: ${remedies.client[name]}`)
    }
  }

  /** Returns a call that expires keys with the same first elements; undefined if it is not certain. */
  #expire(call) {
    const isResultUsed = call.parent().kind() !== 'expression_statement'
    const client = call.field('function').field('object').text()
    const [options] = argumentsOf(call)
    if (isResultUsed && call.parent().kind() !== 'arrow_function') return undefined
    if (!options) return `${client}.expireAll({ testKey: () => true })`
    const members = membersOf(options)
    const key = members.length === 1 && nameOf(members[0]) === 'queryKey' ? members[0].field('value') : undefined
    if (key?.kind() !== 'array') return undefined
    const parts = membersOf(key)
    if (parts.some((part) => part.kind() === 'object')) return undefined
    if (parts.every(isLiteral)) {
      const start = JSON.stringify(parts.map(literalValue)).slice(0, -1)
      return `${client}.expireAll({ testKey: (key) => \`\${key.slice(0, -1)},\`.startsWith('${start.replaceAll("'", "\\'")},') })`
    }
    return `${client}.expireAll({ testKey: (key) => \`\${key.slice(0, -1)},\`.startsWith(\`\${JSON.stringify(${key.text()}).slice(0, -1)},\`) })`
  }

  /** Returns the code after a mutation with the client's calls rewritten. */
  #rewriteClientCalls(node) {
    if (!node) return ''
    const calls = node.kind() === 'call_expression' ? [node] : node.findAll({ rule: { kind: 'call_expression' } })
    const base = node.range().start.index
    let text = node.text()
    for (const call of calls.toReversed()) {
      const callee = call.field('function')
      if (callee.kind() !== 'member_expression' || !this.#clients.has(callee.field('object').text())) continue
      const next = callee.field('property').text() === 'invalidateQueries' ? this.#expire(call) : undefined
      const { start, end } = call.range()
      if (next) text = text.slice(0, start.index - base) + next + text.slice(end.index - base)
    }
    // The code of a block is unindented by one level.
    return node.kind() === 'statement_block' ? text.slice(1, -1).trim().replace(/^ {2}/gm, '') : text
  }

  #moveImports() {
    const rewritten = [
      'useQuery',
      'useSuspenseQuery',
      'useMutation',
      'useQueryClient',
      'QueryClient',
      'QueryClientProvider',
    ]
    for (const [local, { name, isType }] of this.#imports.found) {
      if (rewritten.includes(name) && !this.#open.has(name) && !isType) continue
      this.#imports.add(react, name, { local, isType })
      if (this.#open.has(name)) continue
      this.#imports.todo(react, `${name}: ${remedies[name] ?? 'see “Coming from TanStack Query”'}`)
    }
    this.#imports.finish()
  }
}

/** Returns the members of a pattern with their new names, or a text about what to write if one has no new name. */
function renamedMembers(pattern, isEnabledGiven) {
  const renamed = []
  for (const member of membersOf(pattern)) {
    const name = nameOf(member)
    const isLoading = name === 'isLoading' || (name === 'isPending' && !isEnabledGiven)
    if (!isLoading && !['data', 'error', 'refetch'].includes(name)) {
      const remedy = remedies.result[name]
      return `${remedies.useQuery}${remedy ? `. ${name}: ${remedy}` : ''}`
    }
    if (!isLoading) renamed.push(member.text())
    else renamed.push(`loading: ${member.field('value')?.text() ?? name}`)
  }
  return renamed
}

/** Returns the expression or block that runs after a mutation: null for none, undefined if it is not certain. */
function afterSuccess(onSuccess) {
  if (!onSuccess) return null
  if (onSuccess.kind() !== 'arrow_function') return undefined
  if (onSuccess.field('parameter') || membersOf(onSuccess.field('parameters')).length > 0) return undefined
  const body = onSuccess.field('body')
  return body.find({ rule: { kind: 'return_statement' } }) ? undefined : body
}

/** Returns the options of a client, if a controller has all of them. */
function clientDefaults(options) {
  if (!options) return {}
  const names = ['staleTime', 'gcTime', 'retry', 'refetchOnWindowFocus']
  const [defaultOptions, ...more] = membersOf(options)
  if (!defaultOptions) return {}
  const value = defaultOptions.field('value')
  const [queries, ...others] = value?.kind() === 'object' ? membersOf(value) : []
  if (more.length > 0 || others.length > 0 || nameOf(defaultOptions) !== 'defaultOptions' || !queries) return undefined
  if (nameOf(queries) !== 'queries' || queries.field('value')?.kind() !== 'object') return undefined
  const pairs = membersOf(queries.field('value')).map((member) => [nameOf(member), member.field('value')?.text()])
  if (pairs.some(([name, text]) => !names.includes(name) || !text)) return undefined
  const found = Object.fromEntries(pairs)
  const isCertain =
    /^(?:\d+|false|undefined)$/.test(found.retry ?? '0') &&
    /^(?:true|false)$/.test(found.refetchOnWindowFocus ?? 'true')
  return isCertain ? found : undefined
}

function isLiteral(node) {
  return ['string', 'number', 'true', 'false', 'null'].includes(node.kind())
}

function literalValue(node) {
  return node.kind() === 'string' ? textOf(node) : JSON.parse(node.text())
}
