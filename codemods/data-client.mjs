// data-client → Roundtable.
import { controllersOf } from './controllers.mjs'
import { Imports, renameReferences } from './imports.mjs'
import { argumentsOf, membersOf, nameOf, textOf } from './source.mjs'

const definitions = [
  ...['RestEndpoint', 'Endpoint', 'resource', 'hookifyResource', 'NetworkError', 'Entity', 'EntityMixin', 'Union'],
  ...['Values', 'Collection', 'Invalidate', 'Query', 'All', 'Lazy', 'Scalar', 'unshift', 'validateRequired', 'schema'],
  ...['Denormalize', 'DenormalizeNullable', 'Normalize', 'NormalizeNullable', 'SchemaArgs', 'Schema', 'Queryable'],
  ...['EntityInterface', 'EndpointInterface', 'ReadEndpoint', 'MutateEndpoint', 'ResolveType', 'FetchFunction'],
  ...['EndpointParam', 'EntityFields', 'PathArgs', 'PathKeys', 'ShortenPath', 'RestGenerics', 'Defaults', 'Resource'],
  ...['ResourceOptions', 'Controller', 'ExpiryStatus', 'LogoutManager', 'Manager'],
]
const hooks = [
  ...['useSuspense', 'useDLE', 'useCache', 'useFetch', 'useLive', 'useSubscription', 'useQuery', 'useController'],
  ...['useLoading', 'useDebounce'],
]
const reactNames = [...hooks, 'useError', 'useCancelling', 'AsyncBoundary', 'ErrorBoundary', 'NetworkErrorBoundary']
const core = {
  ...to('@roundtable/core', definitions),
  createResource: ['@roundtable/core', 'resource'],
  ContentType: ['@roundtable/core', 'Content'],
  SnapshotInterface: ['@roundtable/core', 'Snapshot'],
}
const mocks = ['Fixture', 'Interceptor', 'MockResolver']

/** Module → name → the new module. */
export const modules = {
  '@data-client/rest': core,
  '@data-client/endpoint': core,
  '@data-client/core': core,
  '@data-client/react': {
    ...core,
    ...to('@roundtable/react', [...reactNames, 'DataProvider']),
    CacheProvider: ['@roundtable/react', 'DataProvider'],
  },
  '@data-client/vue': { ...core, ...to('@roundtable/vue', [...hooks, 'createDataClient']) },
  '@data-client/test': to('@roundtable/react/testing', ['renderDataHook', ...mocks]),
  '@data-client/react/mock': to('@roundtable/react/testing', mocks),
  '@data-client/core/mock': to('@roundtable/core/testing', ['Fixture', 'Interceptor']),
  '@data-client/vue/test': to('@roundtable/vue/testing', ['renderDataCompose', 'Fixture', 'Interceptor']),
}

/** The package that runs an application of data-client without changes, and its entries. */
const compat = '@roundtable/compat-data-client/'
const carried = ['rest', 'endpoint', 'core', 'react', 'normalizr']

/** Returns the module of data-client to which a module corresponds. */
function ofDataClient(module) {
  return module.startsWith(compat) ? module.replace(compat, '@data-client/') : module
}

const store = 'the store has no reducer and no actions. Call methods of the controller, and listen with controller.on'
const retention =
  'pass new Controller({ retention: { after: ms } }) to the provider, or retention: false to keep everything'
const serverRendering = 'see the guide on server rendering: one controller for each request, dehydrate and hydrate'

/** The replacements of names that Roundtable does not have. */
const missing = {
  NetworkManager:
    'remove it: requests belong to the controller. dataExpiryLength and errorExpiryLength are options of new Controller (data-client ignored those of NetworkManager)',
  IdlingNetworkManager: 'remove it: requests belong to the controller, and start when they are needed',
  SubscriptionManager:
    'remove it: polling belongs to useLive and useSubscription. For another transport write a manager: { start(controller) { … return stop } }',
  PollingSubscription:
    'remove it: polling belongs to useLive and useSubscription, at the pollFrequency of the endpoint',
  DefaultConnectionListener: 'remove it: polls pause while the page is hidden or offline',
  DevToolsManager: 'remove it: @roundtable/devtools shows requests, rows and why something rendered',
  getDefaultManagers: 'remove it: a controller has no default managers. Pass your own as new Controller({ managers })',
  GCPolicy: retention,
  ImmortalGCPolicy: 'pass new Controller({ retention: false }) to the provider',
  DataClientPlugin: 'app.use(createDataClient({ controller })), with new Controller({ managers, … })',
  MockController: 'mockController({ initialFixtures, resolverFixtures }) of @roundtable/core/testing creates one',
  MockPlugin: 'MockResolver of @roundtable/vue/testing, around the components',
  mountDataClient: 'mount with plugins: [createDataClient({ controller: mockController({ … }) })], both of @roundtable',
  mockInitialState: 'pass the fixtures as initialFixtures to mockController or renderDataHook',
  makeRenderDataHook: 'renderDataHook has an option wrapper for more context',
  AbstractInstanceType: 'InstanceType<typeof Todo>, or the class itself, is the type of an instance',
  KeysToArgs: 'PathArgs has the params of a path template',
  PathArgsAndSearch: 'PathArgs has the params of a path template; searchParams is the type of the others',
  GetEndpoint: "RestEndpoint<{ path: '/todos/:id'; schema: typeof Todo }> is the type of an endpoint",
  PaginationEndpoint: 'the type of getPage follows from its endpoint: typeof getTodos.getPage',
  NotCarriedError: 'nothing throws it any more',
  getUrlBase: 'endpoint.url(params) fills a path template',
  getUrlTokens: 'the type PathKeys has the names of a path template',
  ExtendableEndpoint: 'extend Endpoint',
  MemoCache: 'the controller remembers what it has read: controller.get(schema, …args)',
  createReducer: store,
  initialState: store,
  applyManager: store,
  initManager: store,
  actions: store,
  actionTypes: store,
  StateContext: 'useController() has the controller, which is the store',
  ControllerContext: 'useController() has the controller; <DataProvider controller={…}> provides another one',
  StoreContext: 'useController() has the controller, which is the store',
}

const missingModules = {
  '@data-client/react/nextjs': serverRendering,
  '@data-client/react/ssr': serverRendering,
  '@data-client/react/redux': 'the store is the controller; nothing of Redux is needed',
  '@data-client/graphql':
    'Roundtable has no GraphQL. new Endpoint(async (variables) => …, { name, schema }) stores rows of any response',
  '@data-client/img': 'there is no such package: preload images in a component of your own',
  '@data-client/normalizr':
    "normalize and denormalize of '@roundtable/core' take the same arguments; check what you do with their results",
}

/** Methods and members of the controller that Roundtable does not have. */
const missingMembers = {
  getState:
    'there is no state object. Read with controller.get(schema, …args) or controller.getResponse(endpoint, …args)',
  dispatch: store,
  subscribe:
    "const stop = controller.observe(poll, endpoint, …args).subscribe(() => {}), with poll of '@roundtable/core'",
  unsubscribe: 'call the function that controller.observe(poll, …).subscribe returned',
  resolve: 'controller.setResponse(endpoint, …args, response), or controller.setError(endpoint, …args, error)',
  getQueryMeta: 'controller.get(schema, …args) reads the value; its expiry is that of the responses that contain it',
  memo: 'the controller remembers what it has read by itself',
  gcPolicy: retention,
  bindMiddleware: store,
}
const takeState = ['getResponse', 'getResponseMeta', 'getError', 'get', 'snapshot']

/** Rewrites the files of an application that uses data-client. */
export function dataClient(sources) {
  const sortsByArgument = sources.some(({ text }) => /\border[A-Z]?\w*\s*\??:/.test(text))
  for (const source of sources) {
    const imports = new Imports(source, (module) => module in modules, ofDataClient)
    const controllers = controllersOf(source)
    components(source, imports)
    calls(source, imports, controllers)
    classes(source)
    thrown(source, imports)
    defined(source, imports, sortsByArgument)
    moveImports(source, imports)
    otherMentions(source)
  }
}

/** Rewrites the imports of an application to the compatibility package. */
export function dataClientCompat(sources) {
  for (const source of sources) {
    for (const literal of source.find('string')) {
      const module = textOf(literal)
      if (!module.startsWith('@data-client/')) continue
      if (carried.some((entry) => module === `@data-client/${entry}`)) {
        source.replace(literal, literal.text().replace('@data-client/', compat))
        notThere(source, literal.parent())
      } else {
        const instead = missingModules[module] ?? 'npx @roundtable/codemods data-client rewrites what it has'
        source.todo(literal, `${module} has no part in the compatibility package: ${instead}`)
      }
    }
  }
}

const notCarried = ['StateContext', 'ControllerContext', 'StoreContext', 'usePromisifiedDispatch', '__INTERNAL__']

/** Comments on names that the compatibility package does not export. */
function notThere(source, statement) {
  for (const specifier of statement.findAll({ rule: { kind: 'import_specifier' } })) {
    const name = specifier.field('name').text()
    if (notCarried.includes(name))
      source.todo(statement, `${name}: ${missing[name] ?? 'is of the inside of data-client'}`)
  }
}

function moveImports(source, imports) {
  for (const [local, { module, from, name, isType }] of imports.found) {
    const [next, nextName] = modules[module][name] ?? []
    if (!next) {
      imports.add(from, name, { local, isType })
      imports.todo(from, `${name}: ${missing[name] ?? `Roundtable exports no ${name}. See “Coming from data-client”`}`)
    } else if (local === name) {
      imports.add(next, nextName, { local: renameReferences(source, name, nextName), isType })
    } else {
      imports.add(next, nextName, { local, isType })
    }
  }
  imports.finish()
}

/** Handles all other mentions of a package: re-exports, mocks of test runners, namespace imports. */
function otherMentions(source) {
  for (const literal of source.find('string')) {
    const module = ofDataClient(textOf(literal))
    if (!module.startsWith('@data-client/')) continue
    if (missingModules[module]) source.todo(literal, `${module}: ${missingModules[module]}`)
    else if (literal.parent().kind() === 'export_statement') exported(source, literal, module)
    else if (literal.parent().kind() !== 'import_statement' || !hasOnlyNames(literal.parent())) {
      source.todo(
        literal,
        `${module}: its names are in ${packagesOf(module).join(' and ')}; import the ones that you use`,
      )
    }
  }
}

function exported(source, literal, module) {
  const names = literal.parent().findAll({ rule: { kind: 'export_specifier' } })
  const targets = names.map((specifier) => modules[module]?.[specifier.field('name').text()])
  const isSame = names.every((specifier, index) => targets[index]?.[1] === specifier.field('name').text())
  const [target, ...others] = new Set(targets.map((found) => found?.[0]))
  if (names.length > 0 && isSame && target && others.length === 0)
    source.replace(literal, literal.text().replace(textOf(literal), target))
  else
    source.todo(
      literal,
      `${module}: its names are in ${packagesOf(module).join(' and ')}; export the ones that you use`,
    )
}

function hasOnlyNames(statement) {
  const clause = statement.children().find((child) => child.kind() === 'import_clause')
  return clause?.children().every((child) => child.kind() === 'named_imports') ?? false
}

function packagesOf(module) {
  return [...new Set(Object.values(modules[module] ?? {}).map(([target]) => target))]
}

// — components —

function components(source, imports) {
  const provider =
    imports.local('@data-client/react', 'DataProvider') ?? imports.local('@data-client/react', 'CacheProvider')
  const boundaries = ['AsyncBoundary', 'ErrorBoundary', 'NetworkErrorBoundary'].map((name) =>
    imports.local('@data-client/react', name),
  )
  for (const element of source.find('jsx_opening_element', 'jsx_self_closing_element')) {
    const name = element.field('name')?.text()
    if (name === undefined) continue
    if (name === provider) providerProps(source, element)
    else if (boundaries.includes(name)) boundaryProps(source, element)
  }
}

function providerProps(source, element) {
  for (const attribute of element.children().filter((child) => child.kind() === 'jsx_attribute')) {
    const name = attribute.children()[0].text()
    if (name === 'devButton') source.remove(attribute)
    else if (name === 'managers' || name === 'initialState' || name === 'Controller' || name === 'gcPolicy') {
      source.todo(attribute, providers[name])
    }
  }
}

const providers = {
  managers:
    'managers: create the controller in a module, new Controller({ managers: [ … ] }), without those of data-client, and pass <DataProvider controller={controller}>',
  initialState:
    'initialState: hydrate(controller, payload) of @roundtable/core/hydration fills a controller; pass <DataProvider controller={controller}>',
  Controller: 'Controller: pass an instance instead of a class, <DataProvider controller={controller}>',
  gcPolicy: `gcPolicy: ${retention}`,
}

function boundaryProps(source, element) {
  for (const attribute of element.children().filter((child) => child.kind() === 'jsx_attribute')) {
    const name = attribute.children()[0].text()
    if (name === 'errorClassName' || name === 'className') {
      source.todo(attribute, `${name}: boundaries have no class name; set it in the component that shows the error`)
    }
  }
}

// — calls —

function calls(source, imports, controllers) {
  const imported = (name) =>
    ['@data-client/react', '@data-client/vue'].map((module) => imports.local(module, name)).find(Boolean)
  const useLoading = imports.local('@data-client/react', 'useLoading')
  const useController = imported('useController')
  const schema = ['rest', 'endpoint', 'react']
    .map((name) => imports.local(`@data-client/${name}`, 'schema'))
    .find(Boolean)
  const useDLE = imported('useDLE')
  const useError = imported('useError')
  const plugin = imports.local('@data-client/vue', 'DataClientPlugin')

  for (const member of source.find('member_expression')) {
    const object = member.field('object').text()
    const property = member.field('property').text()
    if (object === schema && property === 'Entity') source.replace(member.field('property'), 'EntityMixin')
    if (property === 'response' && /^(?:e|err|error)$/.test(object)) {
      source.note(member, 'a NetworkError has headers and body(), which parses the body, in place of response')
    }
    const isController = controllers.has(object.replace(/^this\./, ''))
    if (isController && Object.hasOwn(missingMembers, property) && !isPassedState(member)) {
      source.todo(member, `${property}: ${missingMembers[property]}`)
    }
  }

  for (const call of source.find('call_expression')) {
    const callee = call.field('function')
    const args = argumentsOf(call)
    if (callee.text() === useLoading && args.length === 2) memoized(source, imports, args)
    else if (callee.text() === useDLE) {
      source.note(
        call,
        'useDLE: data stays beside an error of a later request; test error first if an error replaces the data',
      )
    } else if (callee.text() === useError && mutations.test(args[0]?.text() ?? '')) {
      source.todo(
        call,
        'useError reads errors of reads. That of a mutation is what controller.fetch rejects with: const [save, saving, error] = useLoading(…)',
      )
    } else if (callee.text() === useController) destructured(source, call)
    else if (callee.kind() === 'member_expression') method(source, call, controllers)
  }
  if (plugin) installed(source, imports, plugin)

  for (const creation of source.find('new_expression')) {
    if (creation.field('constructor').text() !== 'Controller') continue
    const names = membersOf(argumentsOf(creation)[0]).map(nameOf)
    if (names.some((name) => ['dispatch', 'getState', 'memo', 'gcPolicy'].includes(name))) {
      source.todo(creation, `new Controller() needs none of these; it is the store itself. ${retention}`)
    }
  }
}

/** Matches mutations of a resource, and accessors of lists. */
const mutations = /\.(?:create|update|partialUpdate|delete|push|unshift|assign|remove|move)$/

/** Rewrites `app.use(DataClientPlugin)` without options, if that is its only use. */
function installed(source, imports, plugin) {
  const uses = source
    .find('identifier')
    .filter((node) => node.text() === plugin && node.parent().kind() !== 'import_specifier')
  const [use, ...more] = uses
  const call = use?.parent()?.parent()
  const isInstalled = call?.kind() === 'call_expression' && call.field('function').text().endsWith('.use')
  if (more.length > 0 || !isInstalled || argumentsOf(call).length !== 1) return
  source.replace(use, 'createDataClient()')
  imports.found.delete(plugin)
  imports.add('@roundtable/vue', 'createDataClient')
}

/** Returns true for a state argument that `withoutState` removes. */
function isPassedState(member) {
  const [call, list] = [member.parent(), member.parent()?.parent()]
  const outer = list?.kind() === 'arguments' ? list.parent().field('function') : undefined
  return call?.kind() === 'call_expression' && takeState.includes(outer?.field('property')?.text())
}

/** Wraps the function of `useLoading(fn, deps)` in `useCallback`, which has the same effect. */
function memoized(source, imports, [fn, deps]) {
  source.insertBefore(fn, 'useCallback(')
  source.insertAfter(deps, ')')
  addReactImport(source, imports, 'useCallback')
}

function addReactImport(source, imports, name) {
  const statement = source.find('import_statement').find((each) => textOf(each.field('source')) === 'react')
  const names = statement?.find({ rule: { kind: 'named_imports' } })
  if (statement?.children().some((child) => child.kind() === 'type') || !names) imports.add('react', name)
  else if (!new RegExp(`\\b${name}\\b`).test(names.text())) source.insertAfter(names.children()[0], ` ${name},`)
}

function destructured(source, call) {
  const pattern = call.parent()?.kind() === 'variable_declarator' ? call.parent().field('name') : undefined
  if (pattern?.kind() !== 'object_pattern') return
  for (const member of membersOf(pattern)) {
    const name = nameOf(member)
    if (name && Object.hasOwn(missingMembers, name)) source.todo(member, `${name}: ${missingMembers[name]}`)
  }
}

function method(source, call, controllers) {
  const callee = call.field('function')
  const object = callee.field('object').text()
  const name = callee.field('property')
  if (!controllers.has(object.replace(/^this\./, ''))) return
  if (name.text() === 'fetchIfStale' && call.parent()?.kind() !== 'await_expression') {
    source.todo(call, 'fetchIfStale always returns a promise, also when nothing has to be fetched: await it')
  }
  if (name.text() === 'set') written(source, call)
  if (name.text() === 'fetch' && isResultUsed(call)) {
    source.note(
      call,
      'fetch resolves with what the store shows: null after an empty response, the deleted row after a deletion',
    )
  }
  if (takeState.includes(name.text())) withoutState(source, call, object)
}

/** Comments on `controller.set` with an array of rows or a function. */
function written(source, call) {
  const args = argumentsOf(call)
  if (args[0]?.kind() === 'array') {
    source.todo(call, 'set takes no array of schemas: controller.set(new All(Todo), rows) writes several rows')
  } else if (['arrow_function', 'function_expression'].includes(args.at(-1)?.kind())) {
    source.note(
      call,
      'set calls the function also where there is no row, with undefined; return undefined to write nothing',
    )
  }
}

/** Returns true if the code around a call uses its result. */
function isResultUsed(call) {
  const awaited = call.parent()?.kind() === 'await_expression' ? call.parent() : call
  return ['variable_declarator', 'member_expression', 'assignment_expression'].includes(awaited.parent()?.kind())
}

/** Removes the state argument of reads. Only that of the same controller is certain to be the state that it reads. */
function withoutState(source, call, object) {
  const name = call.field('function').field('property')
  const args = argumentsOf(call)
  const last = args.at(-1)
  if (last?.text() !== `${object}.getState()`) {
    if (canBeState(name.text(), args)) {
      source.todo(call, `${name.text()} takes no state, it reads the store: remove the last argument, if it is one`)
    }
    return
  }
  const rest = args.slice(0, -1).map((each) => each.text())
  const next = name.text() === 'getResponseMeta' ? 'getResponse' : name.text()
  source.replace(call, `${object}.${next}(${rest.join(', ')})`)
}

function canBeState(method, args) {
  const literals = ['object', 'array', 'string', 'template_string', 'number', 'null', 'undefined']
  return args.length > (method === 'snapshot' ? 0 : 1) && !literals.includes(args.at(-1).kind())
}

// — classes —

const statics = {
  maxEntityDepth: 'remove maxEntityDepth: there is no limit',
  automaticValidation: 'remove automaticValidation: what does not match is a SchemaError. validate checks more',
  queryKey: 'queryKey receives (args, context); compare with the reference of Entity',
  normalize: 'normalize belongs to the store; process, validate and merge change what is stored',
  denormalize: 'denormalize belongs to the store; getters of the class compute what is shown',
  shouldReorder:
    'shouldReorder compares meta.start, a number of order and no time; without it each field has its own order',
  mergeMetaWithStore: 'mergeMetaWithStore receives { start, … }; see the reference of Entity',
}

/** Reports thrown values other than Errors in the definitions of requests. */
function thrown(source, imports) {
  if (imports.found.size === 0) return
  for (const statement of source.find('throw_statement')) {
    const [value] = membersOf(statement)
    if (!['object', 'string', 'template_string', 'number'].includes(value?.kind())) continue
    source.note(
      statement,
      'a request rejects with it as it is; readers and events get a CallbackError with its status, and it as the cause',
    )
  }
}

/** The text about a request's position in the order, by which metas were compared. */
const fetchedAt = 'metas have start, a number of order, in place of fetchedAt'

const ofLists = {
  merge:
    'merge: a response replaces the list, and pages join it by getPage or usePages; addWith(merge) places new members',
  pk: 'pk: argsKey and nestKey return the arguments that identify a list',
  shouldReorder: 'shouldReorder: lists follow the order of requests',
  createCollectionFilter:
    "createCollectionFilter: the test is given a list's arguments and the member's row. Without it the row's fields decide, then the call's arguments: remove it if that is enough",
  mergeWithStore: 'mergeWithStore: lists follow the order of requests; addWith(merge) places new members',
}

function classes(source) {
  for (const definition of source.find('class_declaration', 'class', 'abstract_class_declaration')) {
    const heritage =
      definition
        .children()
        .find((child) => child.kind() === 'class_heritage')
        ?.text() ?? ''
    const body = definition.field('body')
    if (/\bimplements\b.*\bManager\b/.test(heritage)) {
      source.todo(
        definition,
        'a manager is { start(controller) { … return stop } }: start listens with controller.on or opens a connection, and what it returns undoes that. There is no middleware',
      )
    } else if (/\bextends\b.*\bEntity/.test(heritage)) {
      for (const member of body?.children() ?? []) {
        const name = member.field('name')?.text()
        const isStatic = member.children().some((child) => child.kind() === 'static')
        if (!isStatic || !name) continue
        if (Object.hasOwn(statics, name)) source.todo(member, statics[name])
        else if (/\bfetchedAt\b/.test(member.text())) source.todo(member, fetchedAt)
      }
    } else if (/\bextends\b.*\bCollection\b/.test(heritage)) {
      for (const member of body?.children() ?? []) {
        const name = member.field('name')?.text()
        if (name && Object.hasOwn(ofLists, name)) source.todo(member, ofLists[name])
      }
      for (const assignment of body?.findAll({ rule: { kind: 'assignment_expression' } }) ?? []) {
        const [, name] = /^this\.(push|unshift|assign|remove|move)$/.exec(assignment.field('left').text()) ?? []
        const value = assignment.field('right').text()
        if (name) source.todo(assignment, `${name} is read-only: write a field, override readonly ${name} = ${value}`)
      }
    }
  }
}

// — definitions —

/** Comments on different defaults, once per file, at its first endpoint or list. */
function defined(source, imports, sortsByArgument) {
  const local = (name) =>
    ['rest', 'endpoint'].map((module) => imports.local(`@data-client/${module}`, name)).find(Boolean)
  const makers = {
    resource: local('resource') ?? local('createResource'),
    RestEndpoint: local('RestEndpoint'),
    Collection: local('Collection'),
    Scalar: local('Scalar'),
  }
  const made = source.find('call_expression', 'new_expression').flatMap((node) => {
    const callee = (node.field('function') ?? node.field('constructor')).text()
    const kind = Object.keys(makers).find((name) => makers[name] === callee)
    return kind ? [{ node, kind, options: argumentsOf(node).flatMap(membersOf).map(nameOf) }] : []
  })
  for (const { node, kind } of made) {
    if (kind === 'Scalar')
      source.todo(node, 'lens receives the arguments one by one: (params) => …, not (args) => args[0]…')
  }
  for (const { node, kind, options } of made) {
    if (kind === 'RestEndpoint' && !options.includes('method') && /\bsideEffect:\s*true\b/.test(node.text()))
      source.todo(node, "add method: 'POST', which sideEffect: true no longer implies")
  }
  for (const { node } of made) emptyArrays(source, node)
  const requests = made.filter(({ kind }) => kind === 'resource' || kind === 'RestEndpoint')
  const soft = requests.find(({ options }) => !options.includes('errorPolicy') && !options.includes('Endpoint'))
  if (soft) {
    source.todo(
      soft.node,
      "without errorPolicy an error of a refetch is shown. data-client kept showing data after a status of 500 or more, and without a connection: errorPolicy: (error) => (error.status >= 500 || error instanceof TransportError ? 'soft' : undefined)",
    )
  }
  const rules = ['nonFilterArgumentKeys', 'createCollectionFilter']
  const list = made.find(
    ({ kind, options }) =>
      (kind === 'resource' || kind === 'Collection') && !rules.some((rule) => options.includes(rule)),
  )
  if (list && sortsByArgument) {
    source.todo(
      list.node,
      'every argument of a list filters. data-client ignored those that begin with order: nonFilterArgumentKeys: /^order/',
    )
  }
}

/** Comments on empty arrays in the schema of an endpoint. */
function emptyArrays(source, node) {
  const members = argumentsOf(node).flatMap(membersOf)
  const schema = members.find((member) => nameOf(member) === 'schema')?.field('value')
  const arrays = schema?.kind() === 'object' ? schema.findAll({ rule: { kind: 'array' } }) : []
  if (arrays.some((array) => membersOf(array).length === 0))
    source.todo(
      node,
      'an empty array in a schema says nothing of its members: write what one is, as in [Todo], or leave it out',
    )
}

function to(module, names) {
  return Object.fromEntries(names.map((name) => [name, [module, name]]))
}
