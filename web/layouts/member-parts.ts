export { FastNumberButton } from '#web/buying/fast-number/fast-number-button.tsx'
export { Bell } from './bell.tsx'
export { BottomBar } from './bottom-bar.tsx'
