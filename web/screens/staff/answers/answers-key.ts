export const ANSWERS_KEY = 'staff-answers'
