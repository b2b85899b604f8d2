/** A chunk for members, which no visitor loads. */
export { FastNumberButton } from '#web/buying/fast-number/fast-number-button.tsx'
export { Bell } from './bell.tsx'
export { BottomBar } from './bottom-bar.tsx'
