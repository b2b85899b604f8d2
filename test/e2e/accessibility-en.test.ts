import { judgeScreens } from './support/judge-screens.ts'

judgeScreens('en')
