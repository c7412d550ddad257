import type { openBoard } from '../../../core/engine/todo-board.js'

export { Todo } from '../../../core/engine/todo-board.js'

export type Board = ReturnType<typeof openBoard>
