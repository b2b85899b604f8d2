import { judgeScreens } from './support/judge-screens.ts'

judgeScreens('ru')
