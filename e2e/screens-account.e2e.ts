import { visitEveryScreen } from './screens.ts'

visitEveryScreen('account')
