// The tests that the guide shows are run as they are.
import '../../../docs/snippets/openapi/list.test.js'
import '../../../docs/snippets/openapi/page.test.js'
