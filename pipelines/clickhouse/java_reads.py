"""Compiles the Java of this library, once for a Java, a Spark and a source, into a jar in the cache.

There is no compiler in a Java that only runs programs: Janino, which Spark compiles its queries with, is
among Spark's jars.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from pathlib import Path

import pyspark
from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway
from py4j.protocol import Py4JError, Py4JJavaError

from pipelines.spark.class_archive import archive_folder
from pipelines.spark.java import JavaHome, cache_folder

PREFIX, JAR, FAILED = "spark-reads-", "reads.jar", "failed"
SOURCE = Path(__file__).with_name("ClickHouseReads.java")


def reads_jar(java: JavaHome) -> Path | None:
    """The jar, which is made now if nobody has made it yet; None where it cannot be made.

    The reason is in the file `failed` beside it, and reads go through Python.
    """
    text = SOURCE.read_text()
    # What the archive of classes depends on, the jar depends on.
    known = f"{archive_folder(java).name}|{text}"
    folder = cache_folder() / f"{PREFIX}{hashlib.sha256(known.encode()).hexdigest()[:12]}"
    jar, failed = folder / JAR, folder / FAILED
    try:
        if not jar.exists() and not failed.exists():
            folder.mkdir(parents=True, exist_ok=True)
            new = folder / f"new-{os.getpid()}.jar"
            try:
                _compile(java, text, new)
                new.replace(jar)  # several processes may do so at a time, each with a whole file
            except (Py4JError, OSError, ValueError) as error:
                # A ValueError is what py4j raises where Java prints no port, because it did not start.
                new.unlink(missing_ok=True)
                failed.write_text(f"Remove this folder to try again.\n{error}\n")
    except OSError:
        return None
    return jar if jar.exists() else None


def _compile(java: JavaHome, text: str, target: Path) -> None:
    jars = Path(pyspark.__file__).parent / "jars"
    port, token = launch_gateway(
        jarpath=str(next(jars.glob("py4j-*.jar"))),
        classpath=str(jars / "*"),
        java_path=str(java.path / "bin" / "java"),
        javaopts=["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"],
        die_on_exit=True,
        enable_auth=True,
    )
    gateway = JavaGateway(gateway_parameters=GatewayParameters(port=port, auth_token=token))
    try:
        compiler = gateway.jvm.org.codehaus.janino.SimpleCompiler()
        compiler.cook(text)
        classes = compiler.getBytecodes()
        with zipfile.ZipFile(target, "w") as jar:
            for name in classes:
                jar.writestr(f"{name.replace('.', '/')}.class", bytes(classes[name]))
    except Py4JJavaError as error:
        raise OSError(error.java_exception.toString()) from None  # Java is asked while it is there
    finally:
        gateway.shutdown()
