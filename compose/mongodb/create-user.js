/* global db */
// Runs when the data folder is empty: creates the user of the services, who may only read and write their databases.
const databases = ['auth', 'events', 'uploads', 'contact', 'media', 'notifications'].map(
  (service) => `confetti-${service}`,
)
db.getSiblingDB('admin').createUser({
  user: process.env.MONGO_USER,
  pwd: process.env.MONGO_PASSWORD,
  roles: databases.map((database) => ({ role: 'readWrite', db: database })),
})
