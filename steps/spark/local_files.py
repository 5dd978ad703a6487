"""Spark's writes to a folder of this machine, without a process for each file.

Hadoop sets the permissions of every file and directory by starting `chmod`: 40 of the 44 s of processor time
that Spark takes for 5,000 partitions. Permissions are all that is left out: Spark names and writes its files
as ever. Importing this module imports PySpark.
"""

from __future__ import annotations

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

# A class of Hadoop's package, so that it can be defined beside the one that it extends.
NAME, EXTENDED = (
    "org.apache.hadoop.fs.UnprotectedFileSystem",
    "org.apache.hadoop.fs.RawLocalFileSystem",
)
SOURCE = f"""
package org.apache.hadoop.fs;

public class UnprotectedFileSystem extends {EXTENDED} {{
    public void setPermission(Path path, org.apache.hadoop.fs.permission.FsPermission permission) {{ }}
}}
"""


def local_file_options(session: SparkSession) -> dict[str, str]:
    """Options of a write to a local folder; files have no checksum files beside them."""
    # Workers in processes of their own do not have the class.
    here = session.sparkContext.master.startswith("local[")
    return {
        "fs.file.impl": _defined(session) if here else EXTENDED,
        "fs.file.impl.disable.cache": "true",
    }


def _defined(session: SparkSession) -> str:
    """Define the class in Spark's process, by the compiler that Spark has for its own queries."""
    java = session._jvm.java.lang
    try:
        java.Class.forName(NAME)
    except Py4JJavaError:
        compiler = session._jvm.org.codehaus.janino.SimpleCompiler()
        compiler.cook(SOURCE)
        handles = java.invoke.MethodHandles
        beside = handles.privateLookupIn(java.Class.forName(EXTENDED), handles.lookup())
        beside.defineClass(compiler.getBytecodes().get(NAME))
    return NAME
