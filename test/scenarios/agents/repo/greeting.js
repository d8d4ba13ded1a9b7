export const greeting = (who) => `hello ${who}`
