// What is shared with the remotes has to be there before anything uses it.
void import('./bootstrap.tsx')
