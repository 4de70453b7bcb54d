import { visitEveryScreen } from './screens.ts'

visitEveryScreen('provider')
