// Node 20.19 and newer load ES modules by require.
const { Entity, resource } = require('@roundtable/core')
const react = require('@roundtable/react')

class Todo extends Entity {
  static key = 'Todo'
  id = 0
}
console.log(resource({ path: '/todos/:id', schema: Todo }).get.key({ id: 1 }), typeof react.useSuspense)
