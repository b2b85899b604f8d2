/** Parts of the layout that only members see: one file, which no visitor loads. */
export { FastNumberButton } from '#web/buying/fast-number/fast-number-button.tsx'
export { BottomBar } from './bottom-bar.tsx'
