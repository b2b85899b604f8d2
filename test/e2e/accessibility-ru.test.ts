import { judgeScreens } from './support/judge-screens.ts'

// Checklist 2.1, 2.2, 2.3.
judgeScreens('ru')
