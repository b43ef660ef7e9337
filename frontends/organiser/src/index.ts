// What is shared with the shell has to be there before anything uses it.
void import('./bootstrap.tsx')
