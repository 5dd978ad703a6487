"""`--env docker`: servers in containers, described by the files in docker-compose/.

Entry points: `cluster.DockerCluster`, `images.build`, `cleanup` (removes what a run left in the engine).
Known weakness: images are built from Debian and Python packages, because no registry is assumed.
"""
