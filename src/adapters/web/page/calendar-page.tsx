export const Calendar = () => null
